import { lexer, type Token, type Tokens } from 'marked'

const fence = /^ {0,3}(`{3,}|~{3,})/
const link = /\]\(([^()\s]{0,2000})((?: "[^"]{0,200}")?)\)/g
const tag = /<\/?[A-Za-z!][^<>]*>/g
const address = /^<(?:https?:\/\/|mailto:)[^<>\s]+>$/

const nowhere = 'nowhere:'

/** Gives a link target as it is served; undefined leaves the words of the link without one. */
export type Resolve = (target: string) => string | undefined

/** Markdown as it is served: links resolved, tags of HTML left out, code as it stands. */
export function servedMarkdown(markdown: string, resolve: Resolve): string {
  let open: string | undefined
  return markdown
    .split('\n')
    .map((line) => {
      const [, marks] = fence.exec(line) ?? []
      if (open !== undefined) {
        if (closes(line, open)) open = undefined
        return line
      }
      if (marks !== undefined) {
        open = marks
        return line
      }
      return outsideCode(line, (text) => withoutTags(withLinks(text, resolve)))
    })
    .join('\n')
}

/** Every target of a link outside code. */
export function listLinks(markdown: string): string[] {
  const found: string[] = []
  servedMarkdown(markdown, (target) => {
    found.push(target)
    return target
  })
  return found
}

/** The text that people read, in sentences: without code blocks, lists of links, targets, marks of tables. */
export function plainText(markdown: string): string {
  return lexer(markdown)
    .flatMap(sentencesOf)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(' ')
}

/** Headings below the title, one a line. */
export function headingsOf(markdown: string): string {
  return lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth > 1)
    .map((heading) => wordsIn(heading.tokens))
    .join('\n')
}

/** A fence of the same marks, at least as many, and nothing else. */
function closes(line: string, marks: string): boolean {
  const text = line.trim()
  return fence.test(line) && text.length >= marks.length && text === marks.charAt(0).repeat(text.length)
}

function outsideCode(line: string, change: (text: string) => string): string {
  return line
    .split(/(`{1,9}[^`]{0,2000}`{1,9})/)
    .map((part, place) => (place % 2 === 0 ? change(part) : part))
    .join('')
}

function withLinks(text: string, resolve: Resolve): string {
  return text
    .replaceAll(link, (_, target: string, title: string) => {
      const resolved = resolve(target)
      return resolved === undefined ? `](${nowhere})` : `](${resolved}${title})`
    })
    .replaceAll(/!?\[([^\]]{0,2000})\]\(nowhere:\)/g, '$1')
}

function withoutTags(text: string): string {
  return text.replaceAll(tag, (found) => (address.test(found) ? found : ''))
}

function sentencesOf(token: Token): string[] {
  switch (token.type) {
    case 'heading':
      return [ended(wordsIn((token as Tokens.Heading).tokens))]
    case 'list':
      return listSentences(token as Tokens.List)
    case 'table':
      return tableSentences(token as Tokens.Table)
    case 'blockquote':
      return (token as Tokens.Blockquote).tokens.flatMap(sentencesOf)
    case 'paragraph':
    case 'text':
      return [wordsIn([token])]
    default:
      return []
  }
}

function listSentences({ items }: Tokens.List): string[] {
  const told = items.filter((item) => !isLinkOnly(item))
  return told.flatMap(({ tokens }) => tokens.flatMap(sentencesOf)).map(ended)
}

function isLinkOnly({ tokens }: Tokens.ListItem): boolean {
  const inner = tokens.flatMap((token) => ('tokens' in token && token.tokens !== undefined ? token.tokens : [token]))
  return inner.length > 0 && inner.every(({ type }) => type === 'link')
}

function tableSentences({ header, rows }: Tokens.Table): string[] {
  return [header, ...rows].map((row) => ended(row.map(({ tokens }) => wordsIn(tokens)).join(', ')))
}

function ended(text: string): string {
  return /[.:;!?]$/.test(text.trim()) ? text : `${text}.`
}

function wordsIn(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'html' || token.type === 'image') return ''
      if (token.type === 'br') return ' '
      if ('tokens' in token && token.tokens !== undefined) return wordsIn(token.tokens)
      return 'text' in token ? unescaped(String(token['text'])) : ''
    })
    .join('')
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
