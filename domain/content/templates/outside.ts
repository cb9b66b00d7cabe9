import type { ContentTemplate } from './template.ts'

export const outside: ContentTemplate = {
  name: 'artist-caption-outside',
  description:
    'Outdoors: a full-frame image in clear light that pans sideways, with a large caption in the lower half.',
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
    color: '#ffffff',
    shadow: true,
  },
  caption: {
    voice: 'Open and bright, one thought, like a remark on a walk.',
    plain: {
      short: '{song}',
      medium: '{artist}: {song}',
      long: '{artist}: {song}. Take it outside with you.',
    },
  },
}
