import type { ContentTemplate } from './template.ts'

export const outside: ContentTemplate = {
  name: 'artist-caption-outside',
  description:
    'The artist outdoors: a full picture in clear light that passes by, the caption large in the lower half.',
  layout: 'full',
  camera: {
    zoom: [1.14, 1.12],
    pan: [
      [-0.8, 0],
      [0.8, -0.1],
    ],
  },
  grade: 'saturate(1.08) contrast(1.03) brightness(1.03)',
  tint: 'rgba(255, 214, 150, 0.05)',
  font: {
    weight: 600,
    size: 0.07,
    lineHeight: 1.2,
    letterSpacing: -0.012,
    align: 'center',
    colour: '#ffffff',
    shadow: true,
  },
  caption: {
    voice: 'Open and bright, one thought, as said on a walk.',
    plain: {
      short: '{song}',
      medium: '{artist}: {song}',
      long: '{artist}: {song}. Take it outside with you.',
    },
  },
}
