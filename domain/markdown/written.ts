import { escapeHtml } from '../pages/html.ts'

/** Maximum number of lines that become separate elements. A longer text becomes one element. */
const maxLines = 5000

/** Renders plain text as HTML that keeps its paragraphs and line breaks. Markdown and HTML in it are not interpreted. */
export function plainTextHtml(text: string): string {
  const escaped = escapeHtml(text)
  if (hasMoreLines(text, maxLines)) return `<pre>${escaped}</pre>`
  return escaped
    .split(/\n{2,}/)
    .map((block) => `<p>${block.replaceAll('\n', '<br />')}</p>`)
    .join('\n')
}

function hasMoreLines(text: string, max: number): boolean {
  let index = -1
  for (let lines = 0; lines <= max; lines++) {
    index = text.indexOf('\n', index + 1)
    if (index === -1) return false
  }
  return true
}
