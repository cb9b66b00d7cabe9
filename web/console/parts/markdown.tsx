import IconCopy from '@tabler/icons-react/icons/IconCopy'
import { Fragment, memo, type ReactNode } from 'react'
import { createMarkdown } from '../../../domain/markdown/markdown.ts'
import { nestTokens, type MarkdownNode } from '../../../domain/markdown/tree.ts'
import { IconButton } from './buttons/icon-button.tsx'
import { copyText } from './toasts/toasts.ts'

const { parse } = createMarkdown({ breaks: true })

/** Renders untrusted text as Markdown. HTML in the text is shown as text and never becomes an element. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div className="prose">{renderNodes(nestTokens(parse(text)))}</div>
})

function renderNodes(nodes: readonly MarkdownNode[]): ReactNode {
  return nodes.map((node, index) => <Fragment key={index}>{renderNode(node)}</Fragment>)
}

function renderNode({ type, token, children }: MarkdownNode): ReactNode {
  switch (type) {
    case 'inline':
      return renderNodes(children)
    case 'text':
      return token.content
    case 'softbreak':
    case 'hardbreak':
      return <br />
    case 'strong':
      return <strong>{renderNodes(children)}</strong>
    case 'em':
      return <em>{renderNodes(children)}</em>
    case 's':
      return <del>{renderNodes(children)}</del>
    case 'code_inline':
      return <code>{token.content}</code>
    case 'link':
      return <SafeLink href={String(token.attrGet('href') ?? '')}>{renderNodes(children)}</SafeLink>
    case 'image':
      if (isInlineImage(String(token.attrGet('src'))))
        return <img className="attachment" src={String(token.attrGet('src'))} alt={token.content || 'Image'} />
      // Other images are not loaded, because their host would learn when and from where the chat is read.
      return <SafeLink href={String(token.attrGet('src') ?? '')}>{token.content || 'image'}</SafeLink>
    case 'hr':
      return <hr />
    case 'heading':
      // Rendered as a paragraph, because headings of an answer must not change the heading structure of the page.
      return (
        <p className={`heading level-${token.tag.slice(1)}`}>
          <strong>{renderNodes(children)}</strong>
        </p>
      )
    case 'paragraph':
      return token.hidden ? renderNodes(children) : <p>{renderNodes(children)}</p>
    case 'fence':
    case 'code_block':
      return <CodeBlock text={token.content.replace(/\n$/, '')} language={token.info.trim()} />
    case 'blockquote':
      return <blockquote>{renderNodes(children)}</blockquote>
    case 'bullet_list':
      return <ul>{renderNodes(children)}</ul>
    case 'ordered_list':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{renderNodes(children)}</ol>
    case 'list_item':
      return <li>{renderListItem(children)}</li>
    case 'table':
      return (
        <div className="scroll" role="region" aria-label="Table" tabIndex={0}>
          <table>{renderNodes(children)}</table>
        </div>
      )
    case 'thead':
      return <thead>{renderNodes(children)}</thead>
    case 'tbody':
      return <tbody>{renderNodes(children)}</tbody>
    case 'tr':
      return <tr>{renderNodes(children)}</tr>
    case 'th':
      return <th scope="col">{renderNodes(children)}</th>
    case 'td':
      return <td>{renderNodes(children)}</td>
    case 'html_inline':
      return token.content
    case 'written':
      return <p className="verbatim">{token.content}</p>
    default:
      return <p>{token.content}</p>
  }
}

/** Renders a list item. A leading `[ ]` or `[x]` becomes a checkbox. */
function renderListItem(children: readonly MarkdownNode[]): ReactNode {
  const [, checkmark] = /^\[([ xX])\] /.exec(findFirstText(children) ?? '') ?? []
  if (checkmark === undefined) return renderNodes(children)
  return (
    <>
      <input type="checkbox" checked={checkmark !== ' '} disabled aria-label="Done" />
      {renderNodes(removeCheckmark(children))}
    </>
  )
}

function findFirstText([first]: readonly MarkdownNode[]): string | undefined {
  if (first === undefined) return undefined
  return first.type === 'text' ? first.token.content : findFirstText(first.children)
}

function removeCheckmark([first, ...rest]: readonly MarkdownNode[]): MarkdownNode[] {
  if (first === undefined) return []
  const { type, token, children } = first
  if (type !== 'text') return [{ ...first, children: removeCheckmark(children) }, ...rest]
  return [{ ...first, token: Object.assign(Object.create(token), { content: token.content.slice(4) }) }, ...rest]
}

function CodeBlock({ text, language }: { text: string; language: string }) {
  return (
    <div className="code-block">
      <IconButton size="md" label="Copy the code" Icon={IconCopy} onClick={() => void copyText(text)} />
      <pre tabIndex={0} aria-label={language === '' ? 'Code' : `Code, ${language}`} role="region">
        <code>{text}</code>
      </pre>
    </div>
  )
}

function isInlineImage(url: string): boolean {
  return /^data:image\/(png|jpeg|gif|webp);base64,/i.test(url)
}

/** Link to an http, https or mailto URL. Renders any other URL as plain text, because it could run a script. */
export function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  return /^(https?:|mailto:)/i.test(href) ? (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  )
}
