import { escapeHtml } from '../pages/html.ts'

/** Elements of one text; more lines than this are shown in one element. */
const maxLines = 5000

/** Text as HTML without any form: its paragraphs and lines, nothing of it read as Markdown or HTML. */
export function writtenHtml(text: string): string {
  const escaped = escapeHtml(text)
  if (hasMoreLines(text, maxLines)) return `<pre>${escaped}</pre>`
  return escaped
    .split(/\n{2,}/)
    .map((block) => `<p>${block.replaceAll('\n', '<br />')}</p>`)
    .join('\n')
}

function hasMoreLines(text: string, max: number): boolean {
  let at = -1
  for (let lines = 0; lines <= max; lines++) {
    at = text.indexOf('\n', at + 1)
    if (at === -1) return false
  }
  return true
}
