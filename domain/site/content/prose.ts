import { createMarkdown } from '../../markdown/markdown.ts'
import { nestTokens, type MarkdownNode } from '../../markdown/tree.ts'

const { parse } = createMarkdown({ breaks: false })

const fence = /^ {0,3}(`{3,}|~{3,})/
const link = /\]\(([^()\s]{0,2000})((?: "[^"]{0,200}")?)\)/g
const tag = /<\/?[A-Za-z!][^<>]*>/g
const address = /^<(?:https?:\/\/|mailto:)[^<>\s]+>$/

const unresolvedTarget = 'nowhere:'

/** Returns the target of a link as it is served; undefined removes the link and keeps its text. */
export type Resolve = (target: string) => string | undefined

/** Returns Markdown as it is served: links resolved and HTML tags removed, outside of code. */
export function servedMarkdown(markdown: string, resolve: Resolve): string {
  let fenceMarks: string | undefined
  return markdown
    .split('\n')
    .map((line) => {
      const [, marks] = fence.exec(line) ?? []
      if (fenceMarks !== undefined) {
        if (closesFence(line, fenceMarks)) fenceMarks = undefined
        return line
      }
      if (marks !== undefined) {
        fenceMarks = marks
        return line
      }
      return changeOutsideCode(line, (text) => removeTags(resolveLinks(text, resolve)))
    })
    .join('\n')
}

/** Returns all link targets outside of code. */
export function listLinks(markdown: string): string[] {
  const targets: string[] = []
  servedMarkdown(markdown, (target) => {
    targets.push(target)
    return target
  })
  return targets
}

/** Returns the text as sentences, without code blocks, lists of links, link targets and table markup. */
export function plainText(markdown: string): string {
  return nestTokens(parse(markdown))
    .flatMap(listSentences)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(' ')
}

/** Returns the headings except the title, one per line. */
export function listHeadings(markdown: string): string {
  return nestTokens(parse(markdown))
    .filter(({ type, token }) => type === 'heading' && token.tag !== 'h1')
    .map(({ children }) => readWords(children))
    .join('\n')
}

/** Returns whether the line closes a fence: at least as many of the same characters, and nothing else. */
function closesFence(line: string, marks: string): boolean {
  const text = line.trim()
  return fence.test(line) && text.length >= marks.length && text === marks.charAt(0).repeat(text.length)
}

function changeOutsideCode(line: string, change: (text: string) => string): string {
  return line
    .split(/(`{1,9}[^`]{0,2000}`{1,9})/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}

function resolveLinks(text: string, resolve: Resolve): string {
  return text
    .replaceAll(link, (_, target: string, title: string) => {
      const resolved = resolve(target)
      return resolved === undefined ? `](${unresolvedTarget})` : `](${resolved}${title})`
    })
    .replaceAll(/!?\[([^\]]{0,2000})\]\(nowhere:\)/g, '$1')
}

function removeTags(text: string): string {
  return text.replaceAll(tag, (found) => (address.test(found) ? found : ''))
}

function listSentences({ type, children }: MarkdownNode): string[] {
  switch (type) {
    case 'heading':
      return [endSentence(readWords(children))]
    case 'bullet_list':
    case 'ordered_list':
      return children
        .filter((item) => !isLinkOnly(item))
        .flatMap((item) => item.children.flatMap(listSentences).map(endSentence))
    case 'table':
      return children.flatMap((section) => section.children).map(toSentence)
    case 'blockquote':
      return children.flatMap(listSentences)
    case 'paragraph':
      return [readWords(children)]
    default:
      return []
  }
}

function isLinkOnly(item: MarkdownNode): boolean {
  const inner = item.children.flatMap((block) =>
    block.children.flatMap((child) => (child.type === 'inline' ? child.children : [child])),
  )
  return inner.length > 0 && inner.every(({ type }) => type === 'link')
}

function toSentence(row: MarkdownNode): string {
  return endSentence(row.children.map(({ children }) => readWords(children)).join(', '))
}

function endSentence(text: string): string {
  return /[.:;!?]$/.test(text.trim()) ? text : `${text}.`
}

function readWords(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map(({ type, token, children }) => {
      if (type === 'html_inline' || type === 'image') return ''
      if (type === 'softbreak' || type === 'hardbreak') return ' '
      return children.length > 0 ? readWords(children) : token.type === 'inline' ? '' : token.content
    })
    .join('')
}
