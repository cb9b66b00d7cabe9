import type { ContentTemplate } from './template.ts'

export const bedroom: ContentTemplate = {
  name: 'artist-caption-bedroom',
  description: 'At home: a full-frame image in warm light with a slow zoom in and a large caption in the lower half.',
  layout: 'full',
  camera: {
    zoom: [1.04, 1.16],
    pan: [
      [0, 0.3],
      [0, -0.2],
    ],
  },
  grade: 'saturate(0.88) contrast(0.97) brightness(0.97) sepia(0.16)',
  tint: 'rgba(255, 170, 110, 0.07)',
  font: {
    weight: 700,
    size: 0.074,
    lineHeight: 1.18,
    letterSpacing: -0.018,
    align: 'center',
    color: '#ffffff',
    shadow: true,
  },
  caption: {
    voice: 'Intimate and plain, in lower case, as a message to one friend late at night.',
    plain: {
      short: '{song}',
      medium: '{song}, by {artist}',
      long: '{song}, by {artist}. for headphones, with the lights off',
    },
  },
}
