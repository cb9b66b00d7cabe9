import IconCopy from '@tabler/icons-react/icons/IconCopy'
import { Fragment, memo, type ReactNode } from 'react'
import { createMarkdown } from '../../../domain/markdown/markdown.ts'
import { nestTokens, type MarkdownNode } from '../../../domain/markdown/tree.ts'
import { IconButton } from './icon-button.tsx'
import { showDone } from './toasts/toasts.ts'

const { parse } = createMarkdown({ breaks: true })

/** Renders untrusted text as Markdown. HTML in the text is shown as text and never becomes an element. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div className="prose">{elements(nestTokens(parse(text)))}</div>
})

function elements(nodes: readonly MarkdownNode[]): ReactNode {
  return nodes.map((node, at) => <Fragment key={at}>{element(node)}</Fragment>)
}

function element({ type, token, children }: MarkdownNode): ReactNode {
  switch (type) {
    case 'inline':
      return elements(children)
    case 'text':
      return token.content
    case 'softbreak':
    case 'hardbreak':
      return <br />
    case 'strong':
      return <strong>{elements(children)}</strong>
    case 'em':
      return <em>{elements(children)}</em>
    case 's':
      return <del>{elements(children)}</del>
    case 'code_inline':
      return <code>{token.content}</code>
    case 'link':
      return <SafeLink href={String(token.attrGet('href') ?? '')}>{elements(children)}</SafeLink>
    case 'image':
      if (isInlinePicture(String(token.attrGet('src'))))
        return <img className="attachment" src={String(token.attrGet('src'))} alt={token.content || 'Image'} />
      // No other image is loaded, because its host would learn when and from where the chat is read.
      return <SafeLink href={String(token.attrGet('src') ?? '')}>{token.content || 'image'}</SafeLink>
    case 'hr':
      return <hr />
    case 'heading':
      // A paragraph, because headings of an answer must not rank with those of the page.
      return (
        <p className={`heading level-${token.tag.slice(1)}`}>
          <strong>{elements(children)}</strong>
        </p>
      )
    case 'paragraph':
      return token.hidden ? elements(children) : <p>{elements(children)}</p>
    case 'fence':
    case 'code_block':
      return <CodeBlock text={token.content.replace(/\n$/, '')} language={token.info.trim()} />
    case 'blockquote':
      return <blockquote>{elements(children)}</blockquote>
    case 'bullet_list':
      return <ul>{elements(children)}</ul>
    case 'ordered_list':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{elements(children)}</ol>
    case 'list_item':
      return <li>{item(children)}</li>
    case 'table':
      return (
        <div className="scroll" role="region" aria-label="Table" tabIndex={0}>
          <table>{elements(children)}</table>
        </div>
      )
    case 'thead':
      return <thead>{elements(children)}</thead>
    case 'tbody':
      return <tbody>{elements(children)}</tbody>
    case 'tr':
      return <tr>{elements(children)}</tr>
    case 'th':
      return <th scope="col">{elements(children)}</th>
    case 'td':
      return <td>{elements(children)}</td>
    case 'html_inline':
      return token.content
    case 'written':
      return <p className="said">{token.content}</p>
    default:
      return <p>{token.content}</p>
  }
}

/** Renders a list item. A leading `[ ]` or `[x]` becomes a check box. */
function item(children: readonly MarkdownNode[]): ReactNode {
  const [, mark] = /^\[([ xX])\] /.exec(firstText(children) ?? '') ?? []
  if (mark === undefined) return elements(children)
  return (
    <>
      <input type="checkbox" checked={mark !== ' '} disabled aria-label="Done" />
      {elements(withoutMark(children))}
    </>
  )
}

function firstText([first]: readonly MarkdownNode[]): string | undefined {
  if (first === undefined) return undefined
  return first.type === 'text' ? first.token.content : firstText(first.children)
}

function withoutMark([first, ...others]: readonly MarkdownNode[]): MarkdownNode[] {
  if (first === undefined) return []
  const { type, token, children } = first
  if (type !== 'text') return [{ ...first, children: withoutMark(children) }, ...others]
  return [{ ...first, token: Object.assign(Object.create(token), { content: token.content.slice(4) }) }, ...others]
}

function CodeBlock({ text, language }: { text: string; language: string }) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    showDone('Copied.')
  }
  return (
    <div className="code-block">
      <IconButton size="md" label="Copy the code" Icon={IconCopy} onClick={() => void copy()} />
      <pre tabIndex={0} aria-label={language === '' ? 'Code' : `Code, ${language}`} role="region">
        <code>{text}</code>
      </pre>
    </div>
  )
}

function isInlinePicture(address: string): boolean {
  return /^data:image\/(png|jpeg|gif|webp);base64,/i.test(address)
}

/** Link to an http, https or mailto address. Renders any other address as plain text, because it could run a script. */
export function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  return /^(https?:|mailto:)/i.test(href) ? (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  )
}
