import type { ContentTemplate } from './template.ts'

export const stage: ContentTemplate = {
  name: 'artist-caption-stage',
  description:
    'On stage: a full-frame image with high contrast and a slow zoom out, and a bold caption in the lower half.',
  layout: 'full',
  camera: {
    zoom: [1.18, 1.04],
    pan: [
      [0.2, 0.2],
      [-0.2, 0],
    ],
  },
  grade: 'saturate(1.15) contrast(1.14) brightness(0.9)',
  tint: 'rgba(120, 40, 220, 0.12)',
  font: {
    weight: 800,
    size: 0.082,
    lineHeight: 1.08,
    letterSpacing: -0.026,
    align: 'center',
    color: '#ffffff',
    shadow: true,
  },
  caption: {
    voice: 'Loud and short, present tense, like a shout to a crowd.',
    plain: {
      short: '{song}',
      medium: '{song}. {artist}, live and loud',
      long: '{song}. {artist}, live and loud: turn it up until the room moves',
    },
  },
}
