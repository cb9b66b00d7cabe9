import type { LanguageModelV3Message } from '@ai-sdk/provider'
import type { MessagePart } from '../../domain/chat/messages.ts'
import { toPrompt } from '../../domain/chat/prompt/prompt.ts'
import { cutText } from '../tools/output/cut.ts'

/** Maximum bytes of the messages: the size limit of a stored call output minus the JSON around them. */
const maxBytes = 198_000

/**
 * Converts the messages of a sub-agent to model messages. Keeps the last messages that fit into the stored output of a
 * call, and drops tool results whose call does not fit. If no message fits, returns the text of the last assistant message,
 * cut to the limit, or an empty list if that message has no text.
 */
export function finalMessages(parts: readonly MessagePart[]): LanguageModelV3Message[] {
  const messages = toPrompt([{ role: 'assistant', parts: [...parts] }])
  const last = messages.findLastIndex((message) => message.role === 'assistant')
  let firstIndex = messages.length
  let bytes = 0
  for (let index = messages.length - 1; index >= 0; index--) {
    bytes += countBytes(messages[index])
    if (bytes > maxBytes) break
    if (messages[index]?.role === 'assistant') firstIndex = index
  }
  return firstIndex < messages.length ? messages.slice(firstIndex) : cutMessage(messages[last])
}

function countBytes(message: LanguageModelV3Message | undefined): number {
  return Buffer.byteLength(JSON.stringify(message)) + 1
}

/** Returns the text of an assistant message that is larger than the limit, cut to fit. */
function cutMessage(message: LanguageModelV3Message | undefined): LanguageModelV3Message[] {
  if (message?.role !== 'assistant') return []
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return text === '' ? [] : [{ role: 'assistant', content: [{ type: 'text', text: cutText(text, Infinity) }] }]
}
