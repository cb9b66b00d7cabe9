import type { LanguageModelV3Message } from '@ai-sdk/provider'
import type { MessagePart } from '../../domain/chat/messages.ts'
import { toPrompt } from '../../domain/chat/prompt/prompt.ts'
import { cutText } from '../tools/cut.ts'

/** Limit of the stored output of one call, less the JSON around the messages. */
const finalBytes = 198_000

/**
 * The messages of a sub-agent as model messages: the last ones that fit the stored output of a call, without results
 * whose call was dropped. The last assistant message, which the parent reads, is always kept, and cut if it is too
 * long.
 */
export function finalMessages(parts: readonly MessagePart[]): LanguageModelV3Message[] {
  const messages = toPrompt([{ role: 'assistant', parts: [...parts] }])
  const last = messages.findLastIndex((message) => message.role === 'assistant')
  let from = messages.length
  let bytes = 0
  for (let at = messages.length - 1; at >= 0; at--) {
    bytes += countBytes(messages[at])
    if (bytes > finalBytes) break
    if (messages[at]?.role === 'assistant') from = at
  }
  return from < messages.length ? messages.slice(from) : cutMessage(messages[last])
}

function countBytes(message: LanguageModelV3Message | undefined): number {
  return Buffer.byteLength(JSON.stringify(message)) + 1
}

/** The text of a message that is too long by itself, cut to fit. */
function cutMessage(message: LanguageModelV3Message | undefined): LanguageModelV3Message[] {
  if (message?.role !== 'assistant') return []
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return text === '' ? [] : [{ role: 'assistant', content: [{ type: 'text', text: cutText(text, Infinity) }] }]
}
