import { compile, type FormatCallback } from 'html-to-text'
import { cleanHtml } from './sanitize.ts'

/** Maximum nesting, which limits the indentation of lines. */
const maxNesting = 100

const image: FormatCallback = (element, _walk, builder) => builder.addInline(element.attribs['alt'] ?? '')

// The library's table formatter takes quadratic time in the rows and trusts `colspan`.
const row: FormatCallback = (element, walk, builder) => {
  let cells = 0
  builder.openBlock({ leadingLineBreaks: 1 })
  for (const child of element.children) {
    if (child.name !== 'td' && child.name !== 'th') continue
    if (cells++ > 0) builder.addInline(' | ')
    walk(child.children, builder)
  }
  builder.closeBlock({ trailingLineBreaks: 1 })
}

const heading = { format: 'heading', options: { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 2 } }
const line = { format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } }
const paragraph = { format: 'block', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } }

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: maxNesting, ellipsis: '…' },
  formatters: { image, row },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...heading })),
    { selector: 'a', options: { linkBrackets: ['(', ')'], hideLinkHrefIfSameAsText: true } },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'hr', options: { length: 20 } },
    { selector: 'img', format: 'image' },
    { selector: 'table', ...paragraph },
    { selector: 'tr', format: 'row' },
    ...['dl', 'center'].map((selector) => ({ selector, ...paragraph })),
    ...['dt', 'dd', 'caption'].map((selector) => ({ selector, ...line })),
  ],
})

/** Converts sanitized HTML to plain text: blocks are separated, lists and quotes are marked, and links precede their URL. */
export function toPlainText(cleanedHtml: string): string {
  return convert(cleanedHtml).replace(/^\n+/, '').trimEnd()
}

/** Converts untrusted HTML to plain text. */
export function htmlToPlain(html: string): string {
  return toPlainText(cleanHtml(html))
}
