export const captionLengths = ['none', 'short', 'medium', 'long'] as const
export type CaptionLength = (typeof captionLengths)[number]

/** Visual style of a video: layout, camera motion, color grading, and font and wording of the caption. */
export type ContentTemplate = {
  /** Name in requests. */
  name: string
  /** Shown to people who choose a template. */
  description: string
  layout: 'full' | 'sleeve' | 'editorial'
  camera: {
    /** Scale of the image at the start and at the end; at 1, the image exactly covers its area. */
    zoom: readonly [from: number, to: number]
    /** Position at the start and at the end, per axis: a fraction from -1 to 1 of the margin that the zoom leaves. */
    pan: readonly [from: readonly [number, number], to: readonly [number, number]]
  }
  /** CSS filter of the image. */
  grade: string
  /** CSS color of the layer above the image. */
  tint: string
  font: CaptionFont
  caption: CaptionRules
}

export type CaptionFont = {
  weight: 400 | 600 | 700 | 800
  /** Fraction of the frame's width. */
  size: number
  /** Multiple of `size`. */
  lineHeight: number
  /** Multiple of `size`. */
  letterSpacing: number
  align: 'left' | 'center'
  color: string
  shadow: boolean
}

type CaptionRules = {
  /** Tone of the caption, as an instruction for the model. */
  voice: string
  /** Captions that are used without a model; `{song}` and `{artist}` are replaced. */
  plain: Record<Exclude<CaptionLength, 'none'>, string>
}

const bedroom: ContentTemplate = {
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

const outside: ContentTemplate = {
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

const stage: ContentTemplate = {
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

const recordStore: ContentTemplate = {
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

const editorial: ContentTemplate = {
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

/** All templates; the first is the default. */
export const contentTemplates: readonly ContentTemplate[] = [bedroom, outside, stage, recordStore, editorial]

export const defaultTemplate = bedroom.name

export function isTemplate(name: string): boolean {
  return contentTemplates.some((template) => template.name === name)
}

/** Returns the template of this name, or the default template if the name is unknown. */
export function resolveTemplate(name: string): ContentTemplate {
  return contentTemplates.find((template) => template.name === name) ?? bedroom
}
