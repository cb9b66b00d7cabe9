import { questionTool } from '../../domain/tools/turn-tools.ts'
import type { MessagePart, StoredMessage } from '../../domain/chat/messages.ts'
import type { OpenShare } from '../../db/sessions/shares.ts'
import { parseUrl } from '../../domain/fields/url.ts'
import { html, type Html } from '../../domain/pages/html.ts'
import { createMarkdownRenderer, renderPlainText } from '../../domain/chat/rendered-text.ts'
import { embeddedPage } from '../../providers/embedded-page.ts'

export type SharedPage = {
  share: OpenShare
  messages: readonly StoredMessage[]
  /** Id of the message before which the previous page ends; null for the first page. */
  nextBefore: string | null
  /** True for the last page of the share. */
  isEnd: boolean
}
type RenderText = ReturnType<typeof createMarkdownRenderer>

const maxToolCharacters = 20_000

/** Renders a page of a shared chat: its messages, the names of tools and, if the link includes them, inputs and outputs. */
export function renderSharedChat({ share, messages, nextBefore, isEnd }: SharedPage): string {
  const renderText = createMarkdownRenderer()
  return embeddedPage({
    title: share.title,
    notice: `Shared chat, read-only. This link expires on ${formatDate(share.expiresAt)}.`,
    content: html`${nextBefore !== null && html`<p><a href="?before=${encodeURIComponent(nextBefore)}">Earlier messages</a></p>`}
    ${messages.map((message) => renderMessage(message, renderText, share.toolOutputs))}
    ${!isEnd && html`<p><a href="?">Latest messages</a></p>`}`,
  })
}

function renderMessage({ role, parts }: StoredMessage, renderText: RenderText, toolOutputs: boolean): Html {
  const name = role === 'user' ? 'User' : 'Assistant'
  return html`<section class="message ${role}">
    <h2>${name}</h2>
    ${parts.map((part) => renderPart(part, { renderText: role === 'assistant' ? renderText : renderPlainText, toolOutputs }))}
  </section> `
}

function renderPart(
  part: MessagePart,
  { renderText, toolOutputs }: { renderText: RenderText; toolOutputs: boolean },
): Html | false {
  const text = part['text']
  if (part.type === 'text' && typeof text === 'string') return renderText(text)
  if (part.type === 'file') return html`<p class="quiet">File: ${pickName(part, ['filename', 'mediaType'])}</p>`
  if (part.type === 'source-url') return renderSource(part)
  if (part.type === `tool-${questionTool}`) return renderQuestion(part, toolOutputs)
  if (part.type.startsWith('tool-')) return renderTool(part, toolOutputs)
  return false
}

function renderSource(part: MessagePart): Html | false {
  const url = parseUrl(String(part['url']))
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return false
  return html`<p class="quiet">
    Source: <a href="${url.href}" rel="noopener noreferrer">${pickName(part, ['title', 'url'])}</a>
  </p>`
}

function renderQuestion(part: MessagePart, toolOutputs: boolean): Html {
  const { questions } = (part['input'] ?? {}) as { questions?: { question?: unknown }[] }
  const questionTexts = Array.isArray(questions) ? questions.map(({ question }) => String(question)) : []
  return html`${questionTexts.map((question) => html`<p>${question}</p>`)} ${toolOutputs && renderTool(part, true)}`
}

function renderTool(part: MessagePart, toolOutputs: boolean): Html {
  const name = part.type.slice('tool-'.length)
  const outcome = part['state'] === 'output-error' ? ', which failed' : ''
  if (!toolOutputs) return html`<p class="quiet">Used the tool ${name}${outcome}.</p>`
  const result = part['state'] === 'output-error' ? part['errorText'] : part['output']
  return html`<details>
    <summary>Used the tool ${name}${outcome}</summary>
    <pre class="text">${truncate(part['input'])}</pre>
    ${result !== undefined && html`<pre class="text">${truncate(result)}</pre>`}
  </details>`
}

function truncate(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '')
  return text.length <= maxToolCharacters ? text : `${text.slice(0, maxToolCharacters)} …`
}

function pickName(part: MessagePart, fields: string[]): string {
  const name = fields.map((field) => part[field]).find(isName)
  return name ?? 'unnamed'
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function formatDate(date: Date): string {
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}
