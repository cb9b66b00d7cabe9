import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { CaptionFont } from '../../../../domain/content/templates/index.ts'
import { buildFont } from './fonts.ts'
import type { Box } from './layouts.ts'

const minScale = 0.5

/** Renders the caption as an image that fits its area. Long captions get a smaller font and, if necessary, are truncated. */
export function drawCaption(text: string, font: CaptionFont, area: Box, frameWidth: number): Canvas | undefined {
  if (text.trim() === '') return undefined
  const ruler = createCanvas(8, 8).getContext('2d')
  const width = Math.floor(area.width)
  let [scale, size, lines, maxLines] = [1, 0, [''], 0]
  do {
    size = Math.round(frameWidth * font.size * scale)
    ruler.font = buildFont(size, font.weight)
    lines = wrap(ruler, text, width)
    maxLines = Math.max(1, Math.floor(area.height / (size * font.lineHeight)))
    scale -= 0.05
  } while (lines.length > maxLines && scale > minScale)
  if (lines.length > maxLines) {
    lines = lines.slice(0, maxLines)
    lines.push(`${lines.pop()?.replace(/[\s.,;:!?]{0,9}\S?$/, '')}…`)
  }

  const edge = Math.ceil(size * 0.6)
  const lineHeight = size * font.lineHeight
  const canvas = createCanvas(width + 2 * edge, Math.ceil(lines.length * lineHeight) + 2 * edge)
  const ctx = canvas.getContext('2d')
  ctx.font = buildFont(size, font.weight)
  ctx.letterSpacing = `${(font.letterSpacing * size).toFixed(2)}px`
  ctx.textBaseline = 'middle'
  ctx.textAlign = font.align
  ctx.fillStyle = font.color
  if (font.shadow) {
    ctx.shadowColor = 'rgba(0, 0, 0, 0.55)'
    ctx.shadowBlur = size * 0.32
  }
  const x = font.align === 'left' ? edge : canvas.width / 2
  for (const [index, line] of lines.entries()) ctx.fillText(line, x, edge + (index + 0.5) * lineHeight)
  return canvas
}

/** Wraps text into lines. A word that is longer than a line is broken. */
function wrap(ctx: SKRSContext2D, text: string, width: number): string[] {
  const fits = (line: string): boolean => ctx.measureText(line).width <= width
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    for (const word of paragraph.split(/\s+/).filter(Boolean)) {
      if (line !== '' && fits(`${line} ${word}`)) line += ' '
      else if (line !== '') {
        lines.push(line)
        line = ''
      }
      for (const letter of word) {
        if (line !== '' && !fits(line + letter)) {
          lines.push(line)
          line = ''
        }
        line += letter
      }
    }
    return line === '' ? lines : [...lines, line]
  })
}
