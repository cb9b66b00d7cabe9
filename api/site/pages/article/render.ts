import type { Renderer, Token } from 'markdown-it'
import { createMarkdown } from '../../../../domain/markdown/markdown.ts'
import { escapeHtml, Html } from '../../../../domain/pages/html.ts'
import { createAnchors, headingText } from './anchors.ts'
import { codeBlock } from './code.ts'
import { resolveLinks } from './links.ts'

export type Heading = { id: string; text: string; level: 2 | 3 }

/** The rendered parts of an entry's document. */
export type Article = {
  /** Content of the page's `h1`. */
  title: Html
  /** The paragraph below the title; undefined if no paragraph follows the title. */
  lead: Html | undefined
  body: Html
  headings: Heading[]
}

/**
 * Renders the document of an entry as HTML. Raw HTML is removed, and links are limited to http, https and mailto. The lines
 * that name the source, author and date are omitted, because the page shows these elsewhere.
 */
export function renderArticle(markdown: string, siteUrl: string): Article {
  const headings: Heading[] = []
  const { parse, render } = createMarkdown({ breaks: false, rules: createRules(headings) })
  const tokens = removeOriginLines(parse(markdown))
  for (const { children } of tokens) resolveLinks(children ?? [], siteUrl)
  const toHtml = (part: Token[]): Html => new Html(render(part))
  const [title, afterTitle] = splitFirstBlock(tokens, 'heading_open')
  const [lead, rest] = splitFirstBlock(afterTitle, 'paragraph_open')
  return {
    title: toHtml(title.slice(1, -1)),
    lead: lead.length === 0 ? undefined : toHtml(lead.slice(1, -1)),
    body: toHtml(rest),
    headings,
  }
}

/** Splits off the first block if it has this type. */
function splitFirstBlock(tokens: Token[], type: string): [Token[], Token[]] {
  const end = tokens[0]?.type === type ? tokens.findIndex(({ level, nesting }) => level === 0 && nesting === -1) + 1 : 0
  return [tokens.slice(0, end), tokens.slice(end)]
}

function createRules(headings: Heading[]): Renderer['rules'] {
  const createAnchor = createAnchors()
  return {
    html_block: () => '',
    html_inline: () => '',
    image: (tokens, index) => escapeHtml(tokens[index]?.content ?? ''),
    heading_open: (tokens, index) => {
      const text = headingText(tokens[index + 1])
      const id = createAnchor(text)
      const tag = tokens[index]?.tag ?? 'h2'
      if (tag === 'h2' || tag === 'h3') headings.push({ id, text, level: tag === 'h2' ? 2 : 3 })
      return `<${tag} id="${id}">${hasLink(tokens[index + 1]) ? '' : `<a class="anchor" href="#${id}">`}`
    },
    heading_close: (tokens, index) => `${hasLink(tokens[index - 1]) ? '' : '</a>'}</${tokens[index]?.tag}>\n`,
    // Wide code blocks and tables scroll separately from the page. `tabindex` makes them scrollable by keyboard.
    fence: (tokens, index) => renderCode(tokens[index]),
    code_block: (tokens, index) => renderCode(tokens[index]),
    table_open: () => '<div class="scroll" tabindex="0"><table>',
    table_close: () => '</table></div>\n',
    // The content security policy allows no style attribute.
    th_open: () => '<th>',
    td_open: () => '<td>',
  }
}

function renderCode(token: Token | undefined): string {
  return codeBlock(token?.content.replace(/\n$/, '') ?? '', token?.info.trim() ?? '').text
}

/** True for a heading that contains a link. Such a heading gets no link to itself, because links cannot be nested. */
function hasLink(inline: Token | undefined): boolean {
  return inline?.children?.some(({ type }) => type === 'link_open') ?? false
}

/** Removes the paragraphs at the beginning that name source, author and dates. */
function removeOriginLines(tokens: Token[]): Token[] {
  const removed = new Set<number>()
  let blocks = 0
  for (const [index, token] of tokens.entries()) {
    if (token.level > 0 || token.nesting === -1) continue
    if (blocks++ >= 5) break
    if (token.type === 'paragraph_open' && isOriginLine(tokens[index + 1]))
      for (const offset of [0, 1, 2]) removed.add(index + offset)
  }
  return tokens.filter((_, index) => !removed.has(index))
}

function isOriginLine(token: Token | undefined): boolean {
  return /^(?:(?:Source|Author|Published|Updated): |This is a summary\. The full page is at )/.test(
    token?.content ?? '',
  )
}
