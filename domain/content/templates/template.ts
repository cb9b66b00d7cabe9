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
