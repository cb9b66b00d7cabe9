import type { Renderer, Token } from 'markdown-it'
import { createMarkdown } from '../../../domain/markdown/markdown.ts'
import { parseUrl } from '../../../domain/fields/url.ts'
import { escapeHtml, Html } from '../../../domain/pages/html.ts'

const schemes = new Set(['http:', 'https:', 'mailto:'])

/**
 * Renders the document of an entry as HTML. Raw HTML is dropped, links are limited to http, https and mailto, and the lines
 * that name the document's source are left out, because the reader is already on that page.
 */
export function renderMarkdown(markdown: string, siteUrl: string): Html {
  const { parse, render } = createMarkdown({ breaks: false, rules: createRules() })
  const tokens = removeSourceLines(parse(markdown))
  for (const { children } of tokens) resolveLinks(children ?? [], siteUrl)
  return new Html(render(tokens))
}

function createRules(): Renderer['rules'] {
  const anchors = new Map<string, number>()
  return {
    html_block: () => '',
    html_inline: () => '',
    image: (tokens, index) => escapeHtml(tokens[index]?.content ?? ''),
    heading_open: (tokens, index) =>
      `<${tokens[index]?.tag} id="${createAnchor(tokens[index + 1]?.content ?? '', anchors)}">`,
    // Wide code blocks and tables scroll on their own, including with the keyboard.
    fence: (tokens, index) => codeBlock(tokens[index]),
    code_block: (tokens, index) => codeBlock(tokens[index]),
    table_open: () => '<div class="scroll" tabindex="0"><table>',
    table_close: () => '</table></div>\n',
    // The content security policy allows no style attribute.
    th_open: () => '<th>',
    td_open: () => '<td>',
  }
}

function codeBlock(token: Token | undefined): string {
  return `<pre tabindex="0"><code>${escapeHtml(token?.content.replace(/\n$/, '') ?? '')}</code></pre>\n`
}

/** Replaces a link that must not be followed with its text. Links are not nested. */
function resolveLinks(tokens: readonly Token[], siteUrl: string): void {
  let target: string | undefined
  for (const token of tokens) {
    if (token.type === 'link_open') {
      target = resolveTarget(String(token.attrGet('href') ?? ''), siteUrl)
      token.attrs = target === undefined ? null : [['href', target]]
    }
    if (target === undefined && ['link_open', 'link_close'].includes(token.type)) token.type = 'html_inline'
  }
}

/** Removes the paragraphs at the beginning that name the source. */
function removeSourceLines(tokens: Token[]): Token[] {
  const sourceIndexes = new Set<number>()
  let blocks = 0
  for (const [index, token] of tokens.entries()) {
    if (token.level > 0 || token.nesting === -1) continue
    if (blocks++ >= 4) break
    if (token.type === 'paragraph_open' && isSourceLine(tokens[index + 1]))
      for (const offset of [0, 1, 2]) sourceIndexes.add(index + offset)
  }
  return tokens.filter((_, index) => !sourceIndexes.has(index))
}

function isSourceLine(token: Token | undefined): boolean {
  return /^(?:Source: |This is a summary\. The full page is at )/.test(token?.content ?? '')
}

/** Target of a link: own links work under any host; undefined for one that must not be followed. */
function resolveTarget(href: string, siteUrl: string): string | undefined {
  const base = new URL(siteUrl)
  const target = parseUrl(href, base)
  if (target === undefined || !schemes.has(target.protocol)) return undefined
  return target.origin === base.origin ? target.pathname + target.search + target.hash : target.href
}

/** `anchors` counts headings with the same text. */
function createAnchor(text: string, anchors: Map<string, number>): string {
  const base = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['part']).join('-')
  let count = (anchors.get(base) ?? 0) + 1
  let anchor = count === 1 ? base : `${base}-${count}`
  while (anchors.has(anchor) && count > 1) anchor = `${base}-${++count}`
  anchors.set(base, count)
  if (anchor !== base) anchors.set(anchor, 1)
  return anchor
}
