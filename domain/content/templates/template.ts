export const captionLengths = ['none', 'short', 'medium', 'long'] as const
export type CaptionLength = (typeof captionLengths)[number]

/** A look of clips: where the picture and the words are, how they move, and how the words are written. */
export type ContentTemplate = {
  /** Name in requests. */
  name: string
  /** Shown to people who choose a template. */
  description: string
  layout: 'full' | 'sleeve' | 'editorial'
  camera: {
    /** Scale of the picture at the beginning and at the end; 1 just covers its place. */
    zoom: readonly [from: number, to: number]
    /** Where the view is at both ends: -1 to 1 of the room that the zoom leaves. */
    pan: readonly [from: readonly [number, number], to: readonly [number, number]]
  }
  /** CSS filter over the picture. */
  grade: string
  /** Laid over it, in CSS colours. */
  tint: string
  font: CaptionFont
  caption: CaptionRules
}

export type CaptionFont = {
  weight: 400 | 600 | 700 | 800
  /** Share of the frame's width. */
  size: number
  /** Of the size. */
  lineHeight: number
  /** Of the size. */
  letterSpacing: number
  align: 'left' | 'center'
  colour: string
  shadow: boolean
}

type CaptionRules = {
  /** How it sounds, for the model that writes it. */
  voice: string
  /** What it says when no model does; `{song}` and `{artist}` are replaced. */
  plain: Record<Exclude<CaptionLength, 'none'>, string>
}
