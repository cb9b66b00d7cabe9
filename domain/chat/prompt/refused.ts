import { unreadableNote } from '../attachments.ts'
import type { RefusedKind } from '../model-rejections.ts'
import type { MessagePart, UiMessage } from '../messages.ts'

/** A kind of content that a provider rejected. Applies to all messages up to and including `throughId`. */
export type Refusal = { kind: RefusedKind; throughId: string }

type Message = Pick<UiMessage, 'id' | 'role' | 'parts'>

/**
 * Returns the history without the rejected content: files become notes, tool calls become text, and reasoning is dropped.
 */
export function replaceRefused<M extends Message>(history: readonly M[], refusals: readonly Refusal[]): M[] {
  return refusals.reduce<M[]>(
    (messages, { kind, throughId }) => {
      const end = messages.findIndex(({ id }) => id === throughId)
      return messages.map((message, index) =>
        index > end ? message : { ...message, parts: message.parts.flatMap((part) => replacePart(part, kind)) },
      )
    },
    [...history],
  )
}

/** Returns whether a history contains this kind of content. */
export function containsKind(history: readonly Message[], kind: RefusedKind): boolean {
  return history.some(({ parts }) => parts.some((part) => matchesKind(part, kind)))
}

/**
 * True for a part of this kind. The kind `reasoning` includes tool calls, because a provider that rejects reasoning also
 * rejects the calls that follow from it.
 */
function matchesKind(part: MessagePart, kind: RefusedKind): boolean {
  if (kind === 'tools') return isCall(part)
  if (kind === 'reasoning') return part.type === 'reasoning' || isCall(part)
  return part.type === 'file' && fileKind(part) === kind
}

function replacePart(part: MessagePart, kind: RefusedKind): MessagePart[] {
  if (!matchesKind(part, kind)) return [part]
  if (part.type === 'reasoning') return []
  if (isCall(part)) return [{ type: 'text', text: callText(part) }]
  const { filename, mediaType } = part
  const file = { mediaType: String(mediaType), ...(typeof filename === 'string' && { filename }) }
  return [{ ...unreadableNote(file, 'the provider of this model rejected it') }]
}

function isCall(part: MessagePart): boolean {
  return typeof part['toolCallId'] === 'string' && (part.type === 'dynamic-tool' || part.type.startsWith('tool-'))
}

function fileKind({ mediaType, url }: MessagePart): 'image' | 'audio' | 'file' {
  const type = typeof mediaType === 'string' && mediaType !== '' ? mediaType : String(url).replace(/^data:/i, '')
  return /^image\//i.test(type) ? 'image' : /^audio\//i.test(type) ? 'audio' : 'file'
}

const maxShownCharacters = 4000

function callText(part: MessagePart): string {
  const name = part.type === 'dynamic-tool' ? String(part['toolName']) : part.type.slice('tool-'.length)
  const result = part['output'] ?? part['errorText'] ?? 'interrupted'
  return `[The tool ${name} was called with ${truncateJson(part['input'])} and returned: ${truncateJson(result)}]`
}

function truncateJson(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text
}
