import { Marked, type Token, type Tokens } from 'marked'
import { parseUrl } from '../../../domain/fields/url.ts'
import { escapeHtml, Html } from '../../../domain/pages/html.ts'

const schemes = new Set(['http:', 'https:', 'mailto:'])

/**
 * The document of an entry as HTML. Raw HTML shows nothing, links lead to http, https and mailto alone, and the lines that
 * say where the document comes from are left out: the reader is there.
 */
export function renderMarkdown(markdown: string, siteUrl: string): Html {
  const marked = new Marked({ gfm: true, renderer: createRenderer(siteUrl) })
  const tokens = marked.lexer(markdown)
  const shown = tokens.filter((token, at) => !(at < 8 && isOrigin(token)))
  return new Html(marked.parser(shown))
}

function createRenderer(siteUrl: string) {
  const used = new Set<string>()
  return {
    html: () => '',
    image: ({ text }: Tokens.Image) => escapeHtml(text),
    link(this: { parser: { parseInline: (tokens: Token[]) => string } }, { href, tokens }: Tokens.Link) {
      const target = targetOf(href, siteUrl)
      const words = this.parser.parseInline(tokens)
      return target === undefined ? words : `<a href="${escapeHtml(target)}">${words}</a>`
    },
    heading(this: { parser: { parseInline: (tokens: Token[]) => string } }, { depth, tokens, text }: Tokens.Heading) {
      const id = anchorOf(text, used)
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    // Wide ones scroll by themselves, with the keyboard too.
    code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    table(this: { parser: { parseInline: (tokens: Token[]) => string } }, { header, rows }: Tokens.Table) {
      const row = (cells: Tokens.TableCell[], tag: 'td' | 'th') =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
      const body = rows.map((cells) => row(cells, 'td')).join('')
      return `<div class="scroll" tabindex="0"><table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
    },
  }
}

function isOrigin(token: Token): boolean {
  return token.type === 'paragraph' && /^(?:Source: |This is a summary\. The full page is at )/.test(token.raw)
}

/** Links of ours work under any host; undefined for what must not be followed. */
function targetOf(href: string, siteUrl: string): string | undefined {
  const base = new URL(siteUrl)
  const target = parseUrl(href, base)
  if (target === undefined || !schemes.has(target.protocol)) return undefined
  return target.origin === base.origin ? target.pathname + target.search + target.hash : target.href
}

function anchorOf(text: string, used: Set<string>): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['part']
  const base = words.join('-')
  let anchor = base
  for (let count = 2; used.has(anchor); count++) anchor = `${base}-${count}`
  used.add(anchor)
  return anchor
}
