import type { ContentTemplate } from './template.ts'

export const recordStore: ContentTemplate = {
  name: 'album-record-store',
  description: 'Record shop: the image as a square sleeve over a blurred copy of itself, with the caption below.',
  layout: 'sleeve',
  camera: {
    zoom: [1, 1.03],
    pan: [
      [0, 0],
      [0, 0],
    ],
  },
  grade: 'none',
  tint: 'rgba(0, 0, 0, 0)',
  font: {
    weight: 600,
    size: 0.058,
    lineHeight: 1.22,
    letterSpacing: -0.01,
    align: 'center',
    color: '#ffffff',
    shadow: true,
  },
  caption: {
    voice: 'Dry and knowing, like a note on a sleeve in a record shop.',
    plain: {
      short: '{song}',
      medium: '{artist}: {song}',
      long: '{artist}: {song}. File under the ones you keep.',
    },
  },
}
