import type { LanguageModelV3Message } from '@ai-sdk/provider'
import type { MessagePart } from '../../domain/chat/messages.ts'
import { toPrompt } from '../../domain/chat/prompt/prompt.ts'
import { cutText } from '../tools/cut.ts'

/** Of the stored output of one call, with what stands around the messages. */
const finalBytes = 198_000

/**
 * What a sub-agent said and did, as model messages: as many of the last ones as fit the stored output of a call, and no
 * result without its call. The last assistant message is what the parent reads: it stays, cut where it is too long.
 */
export function finalMessages(parts: readonly MessagePart[]): LanguageModelV3Message[] {
  const messages = toPrompt([{ role: 'assistant', parts: [...parts] }])
  const last = messages.findLastIndex((message) => message.role === 'assistant')
  let from = messages.length
  let bytes = 0
  for (let at = messages.length - 1; at >= 0; at--) {
    bytes += bytesOf(messages[at])
    if (bytes > finalBytes) break
    if (messages[at]?.role === 'assistant') from = at
  }
  return from < messages.length ? messages.slice(from) : cutMessage(messages[last])
}

function bytesOf(message: LanguageModelV3Message | undefined): number {
  return Buffer.byteLength(JSON.stringify(message)) + 1
}

/** The text of a message that is too long for itself, as far as it fits. */
function cutMessage(message: LanguageModelV3Message | undefined): LanguageModelV3Message[] {
  if (message?.role !== 'assistant') return []
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return text === '' ? [] : [{ role: 'assistant', content: [{ type: 'text', text: cutText(text, Infinity) }] }]
}
