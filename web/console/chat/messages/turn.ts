import type { UIMessage } from 'ai'

/** What a turn cost and how it ended, as its message says. */
export type TurnMetadata = {
  runId?: string
  modelId?: string
  selectedModelId?: string
  endReason?: string
  lastStepFinishReason?: string
  totalMessageUsage?: { inputTokens?: number; outputTokens?: number; totalTokens?: number }
  totalMessageCost?: number
}

export function readMetadata(message: UIMessage | undefined): TurnMetadata {
  return message?.metadata ?? {}
}

export function readEndReason(message: UIMessage | undefined): string | undefined {
  return readMetadata(message).endReason
}

/** How much of a message is there: grows while it is written. */
export function fullness({ parts }: UIMessage): number {
  return parts.reduce((sum, part) => sum + 1 + ('text' in part ? part.text.length : 0) + ('output' in part ? 1 : 0), 0)
}

/** The messages with their end as it was stored. */
export function withEnd(messages: readonly UIMessage[], end: readonly UIMessage[]): UIMessage[] {
  const from = messages.findIndex(({ id }) => id === end[0]?.id)
  return from === -1 ? [...messages] : [...messages.slice(0, from), ...end]
}
