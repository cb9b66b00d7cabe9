import type { UIMessage, UIMessageChunk } from 'ai'

const retractionType = 'data-retract'

/** Converts the retractions of a stream into message parts, which `withoutRetracted` processes. */
export function toRetractionParts(): TransformStream<UIMessageChunk, UIMessageChunk> {
  return new TransformStream({
    transform: (chunk, controller) =>
      controller.enqueue(
        chunk.type === retractionType
          ? { type: retractionType, id: chunk.id ?? crypto.randomUUID(), data: chunk.data }
          : chunk,
      ),
  })
}

/** Removes the output of abandoned attempts: all parts of their step that precede the retraction. */
export function withoutRetracted(message: UIMessage): UIMessage {
  if (!message.parts.some(({ type }) => type === retractionType)) return message
  const parts: UIMessage['parts'] = []
  for (const part of message.parts)
    if (part.type === retractionType)
      parts.splice(
        Math.max(
          0,
          parts.findLastIndex(({ type }) => type === 'step-start'),
        ),
      )
    else parts.push(part)
  return { ...message, parts }
}
