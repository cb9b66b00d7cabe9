const maxOpen = 2000
const tags = /<(\/?)(?!(?:br|hr|img|wbr|col|meta|link|input)\b)[a-z]/gi

/** True for HTML whose elements are not nested, or left open, without end. */
export function isReadableHtml(html: string): boolean {
  let open = 0
  for (const [, closing] of html.matchAll(tags)) {
    open = closing === '/' ? Math.max(0, open - 1) : open + 1
    if (open > maxOpen) return false
  }
  return true
}
