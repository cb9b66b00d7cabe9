import type { ContentTemplate } from './template.ts'

export const editorial: ContentTemplate = {
  name: 'artist-release-editorial',
  description:
    'Magazine page: an image in muted colors on paper with a line below it, and a left-aligned black caption.',
  layout: 'editorial',
  camera: {
    zoom: [1.02, 1.12],
    pan: [
      [0, 0.2],
      [0, -0.2],
    ],
  },
  grade: 'saturate(0.72) contrast(1.06)',
  tint: 'rgba(0, 0, 0, 0)',
  font: {
    weight: 700,
    size: 0.078,
    lineHeight: 1.14,
    letterSpacing: -0.024,
    align: 'left',
    color: '#16130f',
    shadow: false,
  },
  caption: {
    voice: 'Calm and exact, like the headline of a music magazine. No exclamation marks.',
    plain: {
      short: '{song}',
      medium: '{artist} releases “{song}”',
      long: '{artist} releases “{song}”. Listen to the part that stays.',
    },
  },
}
