import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { CaptionFont } from '../../../../domain/content/templates/index.ts'
import { buildFont } from './fonts.ts'

type CaptionPlace = {
  /** Pixels. */
  width: number
  maxHeight: number
  fontSize: number
}

const smallest = 0.5

/** Renders the caption as a separate image that fits its area. A long caption gets a smaller font and is finally truncated. */
export function drawCaption(text: string, font: CaptionFont, place: CaptionPlace): Canvas | undefined {
  if (text.trim() === '') return undefined
  const { lineHeight } = font
  const ctx = createCanvas(8, 8).getContext('2d')
  const setAt = (scale: number): { lines: string[]; size: number } => {
    const size = Math.round(place.fontSize * scale)
    ctx.font = buildFont(size, font.weight)
    return { lines: balance(ctx, text, place.width), size }
  }
  const fits = ({ lines, size }: { lines: string[]; size: number }): boolean =>
    lines.length * size * lineHeight <= place.maxHeight
  let scale = 1
  let set = setAt(scale)
  while (!fits(set) && scale > smallest) {
    scale -= 0.05
    set = setAt(scale)
  }
  const { size } = set
  const maxLines = Math.max(1, Math.floor(place.maxHeight / (size * lineHeight)))
  const lines = set.lines.slice(0, maxLines)
  if (set.lines.length > maxLines) lines[maxLines - 1] = `${lines[maxLines - 1]?.replace(/[\s.,;:!?]{0,9}\S?$/, '')}…`

  const edge = Math.ceil(size * 0.6)
  const canvas = createCanvas(place.width + 2 * edge, Math.ceil(lines.length * size * lineHeight) + 2 * edge)
  const into = canvas.getContext('2d')
  into.font = buildFont(size, font.weight)
  into.letterSpacing = `${(font.letterSpacing * size).toFixed(2)}px`
  into.textBaseline = 'middle'
  into.textAlign = font.align
  into.fillStyle = font.color
  if (font.shadow) {
    into.shadowColor = 'rgba(0, 0, 0, 0.55)'
    into.shadowBlur = size * 0.32
    into.shadowOffsetY = size * 0.05
  }
  const x = font.align === 'left' ? edge : canvas.width / 2
  for (const [at, line] of lines.entries()) into.fillText(line, x, edge + (at + 0.5) * size * lineHeight)
  return canvas
}

/** Moves words to later lines, so that the last line is not a single word. */
function balance(ctx: SKRSContext2D, text: string, width: number): string[] {
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
