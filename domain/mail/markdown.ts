import { Marked } from 'marked'
import { isReadableMarkdown } from './bounds.ts'
import { escapeHtml } from './layout.ts'

const marked = new Marked({ async: false, gfm: true, breaks: true })

type Piece = { code: boolean; lines: string[] }

const opening = /^(?:(```+)[^`]*|(~~~+)(?!~).*)$/

/** Words without any form: what is not to be read as Markdown or HTML. */
export function asWritten(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((block) => `<p>${escapeHtml(block).replaceAll('\n', '<br />')}</p>`)
    .join('\n')
}

/** Markdown as HTML that nobody has cleaned yet. What would take a parser long is shown as it was written. */
export function htmlOfMarkdown(text: string): string {
  const tidy = text.replaceAll('\r\n', '\n').replace(/(?<![ \t])[ \t]{3,}(?=\n|$)/g, '  ')
  const pieces = piecesOf(tidy).map(({ code, lines }) => ({ code, text: lines.join('\n') }))
  const prose = pieces.filter(({ code }) => !code).map(({ text }) => text)
  if (!isReadableMarkdown(prose.join('\n\n'))) return asWritten(tidy)
  return pieces.map(({ code, text }) => (code ? codeBlock(text) : parse(text))).join('')
}

/** Fenced code apart from what is around it: it has no marks, and no parser has to read it. */
function piecesOf(text: string): Piece[] {
  let piece: Piece = { code: false, lines: [] }
  const pieces = [piece]
  let fence: string | undefined
  const next = (code: boolean): void => {
    piece = { code, lines: [] }
    pieces.push(piece)
  }
  for (const line of text.split('\n')) {
    const opened = fence === undefined ? opening.exec(line)?.slice(1).find(Boolean) : undefined
    if (opened !== undefined) {
      fence = opened
      next(true)
    } else if (fence !== undefined && isClosing(line, fence)) {
      fence = undefined
      next(false)
    } else piece.lines.push(line)
  }
  return pieces
}

function isClosing(line: string, fence: string): boolean {
  return line.startsWith(fence) && line.replaceAll(fence.charAt(0), '').trim() === ''
}

function codeBlock(text: string): string {
  return `<pre><code>${escapeHtml(text)}\n</code></pre>\n`
}

function parse(text: string): string {
  const html = marked.parse(text)
  return typeof html === 'string' ? html : asWritten(text)
}
