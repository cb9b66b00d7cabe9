import type { Token } from 'markdown-it'

/** Creates a function that returns the id of a page's next heading. Repeated headings get a numeric suffix. */
export function createAnchors(): (text: string) => string {
  const anchors = new Map<string, number>()
  return (text) => {
    const base = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['part']).join('-')
    let count = (anchors.get(base) ?? 0) + 1
    let anchor = count === 1 ? base : `${base}-${count}`
    while (anchors.has(anchor) && count > 1) anchor = `${base}-${++count}`
    anchors.set(base, count)
    if (anchor !== base) anchors.set(anchor, 1)
    return anchor
  }
}

/** Returns the text of a heading without its markup. */
export function headingText(inline: Token | undefined): string {
  const parts = inline?.children?.filter(({ type }) => type === 'text' || type === 'code_inline') ?? []
  return parts.map(({ content }) => content).join('')
}
