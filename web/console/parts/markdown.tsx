import { Lexer, type Token, type Tokens } from 'marked'
import { Fragment, memo, type ReactNode } from 'react'

/** Text of a model or a person, by its Markdown. Markup in it is shown as text: nothing of it becomes an element by itself. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div className="prose">{blocks(new Lexer({ gfm: true, breaks: true }).lex(text))}</div>
})

function blocks(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, at) => <Fragment key={at}>{block(token)}</Fragment>)
}

function block(token: Token): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'hr':
      return <hr />
    case 'heading':
      // The headings of an answer are below those of the page.
      return (
        <p className={`heading level-${(token as Tokens.Heading).depth}`}>
          <strong>{inline(token.tokens)}</strong>
        </p>
      )
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>
    case 'code':
      return <CodeBlock text={(token as Tokens.Code).text} language={(token as Tokens.Code).lang} />
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>
    case 'list':
      return list(token as Tokens.List)
    case 'table':
      return table(token as Tokens.Table)
    case 'text':
      return token.tokens === undefined ? (token as Tokens.Text).text : inline(token.tokens)
    case 'checkbox':
      return <input type="checkbox" checked={(token as Tokens.Checkbox).checked} disabled aria-label="Done" />
    default:
      return <p>{token.raw}</p>
  }
}

function CodeBlock({ text, language }: { text: string; language: string | undefined }) {
  return (
    <pre
      tabIndex={0}
      aria-label={language === undefined || language === '' ? 'Code' : `Code, ${language}`}
      role="region"
    >
      <code>{text}</code>
    </pre>
  )
}

function list({ ordered, start, items }: Tokens.List): ReactNode {
  const rows = items.map((item, at) => <li key={at}>{blocks(item.tokens)}</li>)
  return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>
}

function table({ header, rows }: Tokens.Table): ReactNode {
  return (
    <div className="scroll" role="region" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, at) => (
              <th key={at} scope="col">
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, place) => (
                <td key={place}>{inline(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inline(tokens: readonly Token[] | undefined): ReactNode {
  return tokens?.map((token, at) => <Fragment key={at}>{span(token)}</Fragment>)
}

function span(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>
    case 'em':
      return <em>{inline(token.tokens)}</em>
    case 'del':
      return <del>{inline(token.tokens)}</del>
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>
    case 'br':
      return <br />
    case 'link':
      return link(token as Tokens.Link)
    case 'image':
      // Not loaded: whoever hosts it would learn that somebody reads this.
      return <SafeLink href={(token as Tokens.Image).href}>{(token as Tokens.Image).text || 'image'}</SafeLink>
    case 'escape':
      return (token as Tokens.Escape).text
    case 'text': {
      const { text, tokens } = token as Tokens.Text
      return tokens === undefined ? text : inline(tokens)
    }
    default:
      return token.raw
  }
}

function link({ href, tokens }: Tokens.Link): ReactNode {
  return <SafeLink href={href}>{inline(tokens)}</SafeLink>
}

/** A link that leads to a page or a mail, and nowhere else. */
export function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  return /^(https?:|mailto:)/i.test(href) ? (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  )
}
