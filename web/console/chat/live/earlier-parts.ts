import type { UIMessage, UIMessageChunk } from 'ai'
import { readEndReason } from '../messages/turn.ts'
import type { ToolPart } from '../parts/tool-part.ts'

/**
 * Completes the replay of a turn that continues a stored message after an answer or an approval. The AI SDK starts a replay
 * with an empty message, but the log of such a turn refers to tool calls of the earlier turn. The transform inserts the
 * earlier parts after the `start` chunk. `stored`: the last message when the chat was loaded. If its turn does not wait for
 * the user, nothing is inserted.
 */
export function insertEarlierParts(stored: UIMessage | undefined): TransformStream<UIMessageChunk, UIMessageChunk> {
  const earlierParts = readEndReason(stored) === 'awaiting_user' ? listEarlierParts(stored?.parts ?? []) : []
  return new TransformStream({
    transform: (chunk, controller) => {
      controller.enqueue(chunk)
      if (chunk.type !== 'start' || chunk.messageId !== stored?.id) return
      for (const { part, isResumed } of earlierParts)
        for (const inserted of toChunks(part, isResumed)) controller.enqueue(inserted)
    },
  })
}

type Part = UIMessage['parts'][number]

/** Lists the parts up to the step with the last answer. `isResumed`: the log of the new turn contains the call's result. */
function listEarlierParts(parts: readonly Part[]): { part: Part; isResumed: boolean }[] {
  const lastAnswer = parts.findLastIndex((part) => isAnswered(part as ToolPart))
  const next = parts.findIndex(({ type }, index) => index > lastAnswer && type === 'step-start')
  const earlierParts = parts.slice(0, lastAnswer === -1 ? 0 : next === -1 ? parts.length : next)
  const lastStep = earlierParts.findLastIndex(({ type }) => type === 'step-start')
  return earlierParts.map((part, index) => ({
    part,
    isResumed: index > lastStep && (part as ToolPart).approval !== undefined,
  }))
}

function isAnswered({ type, approval }: ToolPart): boolean {
  return approval !== undefined || type === 'tool-ask_user_question'
}

function toChunks(part: Part, isResumed: boolean): UIMessageChunk[] {
  const id = crypto.randomUUID()
  switch (part.type) {
    case 'step-start':
      return [{ type: 'start-step' }]
    case 'text':
    case 'reasoning':
      return [
        { type: `${part.type}-start`, id },
        { type: `${part.type}-delta`, id, delta: part.text },
        { type: `${part.type}-end`, id },
      ]
    default:
      if (part.type.startsWith('data-')) return [part as UIMessageChunk]
      return 'toolCallId' in part ? toCallChunks(part, isResumed) : []
  }
}

function toCallChunks({ type, toolCallId, input, state, output, errorText }: ToolPart, isResumed: boolean) {
  const chunks: UIMessageChunk[] = [
    { type: 'tool-input-available', toolCallId, toolName: type.replace(/^tool-/, ''), input },
  ]
  if (isResumed) return chunks
  if (state === 'output-available') chunks.push({ type: 'tool-output-available', toolCallId, output })
  if (state === 'output-error') chunks.push({ type: 'tool-output-error', toolCallId, errorText: errorText ?? '' })
  if (state === 'output-denied') chunks.push({ type: 'tool-output-denied', toolCallId })
  return chunks
}
