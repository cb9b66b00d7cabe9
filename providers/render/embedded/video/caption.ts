import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { CaptionFont } from '../../../../domain/content/templates/index.ts'
import { buildFont } from './fonts.ts'

type CaptionPlace = {
  /** In pixels, like the other members. */
  width: number
  maxHeight: number
  fontSize: number
}

const minScale = 0.5

/** Renders the caption as an image that fits its area. Long captions get a smaller font and, if necessary, are truncated. */
export function drawCaption(text: string, font: CaptionFont, place: CaptionPlace): Canvas | undefined {
  if (text.trim() === '') return undefined
  const { lineHeight } = font
  const ctx = createCanvas(8, 8).getContext('2d')
  const layOutAt = (scale: number): { lines: string[]; size: number } => {
    const size = Math.round(place.fontSize * scale)
    ctx.font = buildFont(size, font.weight)
    return { lines: balanceLines(ctx, text, place.width), size }
  }
  const fits = ({ lines, size }: { lines: string[]; size: number }): boolean =>
    lines.length * size * lineHeight <= place.maxHeight
  let scale = 1
  let layout = layOutAt(scale)
  while (!fits(layout) && scale > minScale) {
    scale -= 0.05
    layout = layOutAt(scale)
  }
  const { size } = layout
  const maxLines = Math.max(1, Math.floor(place.maxHeight / (size * lineHeight)))
  const lines = layout.lines.slice(0, maxLines)
  if (layout.lines.length > maxLines)
    lines[maxLines - 1] = `${lines[maxLines - 1]?.replace(/[\s.,;:!?]{0,9}\S?$/, '')}…`

  const edge = Math.ceil(size * 0.6)
  const canvas = createCanvas(place.width + 2 * edge, Math.ceil(lines.length * size * lineHeight) + 2 * edge)
  const captionCtx = canvas.getContext('2d')
  captionCtx.font = buildFont(size, font.weight)
  captionCtx.letterSpacing = `${(font.letterSpacing * size).toFixed(2)}px`
  captionCtx.textBaseline = 'middle'
  captionCtx.textAlign = font.align
  captionCtx.fillStyle = font.color
  if (font.shadow) {
    captionCtx.shadowColor = 'rgba(0, 0, 0, 0.55)'
    captionCtx.shadowBlur = size * 0.32
    captionCtx.shadowOffsetY = size * 0.05
  }
  const x = font.align === 'left' ? edge : canvas.width / 2
  for (const [index, line] of lines.entries()) captionCtx.fillText(line, x, edge + (index + 0.5) * size * lineHeight)
  return canvas
}

/** Moves words to later lines, so that the last line is not a single word. */
function balanceLines(ctx: SKRSContext2D, text: string, width: number): string[] {
  const lines = wrap(ctx, text, width)
  let narrow = width
  for (let step = 0; step < 12; step++) {
    const narrower = narrow * 0.94
    if (wrap(ctx, text, narrower).length > lines.length) break
    narrow = narrower
  }
  return wrap(ctx, text, narrow)
}

/** Wraps text into lines. A word that is longer than a line is broken. */
function wrap(ctx: SKRSContext2D, text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    for (const word of paragraph.split(/\s+/).filter(Boolean)) {
      const longer = line === '' ? word : `${line} ${word}`
      if (ctx.measureText(longer).width <= width) {
        line = longer
        continue
      }
      if (line !== '') lines.push(line)
      line = ''
      for (const letter of Array.from(word)) {
        if (line !== '' && ctx.measureText(line + letter).width > width) {
          lines.push(line)
          line = ''
        }
        line += letter
      }
    }
    return line === '' ? lines : [...lines, line]
  })
}
