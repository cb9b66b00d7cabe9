import type { UIMessage } from 'ai'
import type { components } from '../../../../client/schema.ts'
import type { ToolPart } from '../parts/tool-part.ts'

type Metadata = components['schemas']['MessageMetadata']

/** Returns the cost, usage and end of a turn, from the metadata of its message. */
export function readMetadata(message: UIMessage | undefined): Metadata {
  return { ...(message?.metadata as Metadata) }
}

export function readEndReason(message: UIMessage | undefined): string | undefined {
  return readMetadata(message).endReason
}

/** Lists the unanswered questions and pending approvals of a message whose turn waits for the user. */
export function listPendingParts(message: UIMessage | undefined): ToolPart[] {
  if (message === undefined || readEndReason(message) !== 'awaiting_user') return []
  return (message.parts as ToolPart[]).filter(
    ({ type, state }) =>
      state === 'approval-requested' || (type === 'tool-ask_user_question' && state === 'input-available'),
  )
}

/** Returns the text of a message, without its tool calls and files. */
export function readText({ parts }: UIMessage): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

/** Returns a measure of the length of a message that grows while the message is streamed. */
export function measureLength({ parts }: UIMessage): number {
  return parts.reduce((sum, part) => sum + 1 + ('text' in part ? part.text.length : 0) + ('output' in part ? 1 : 0), 0)
}

/** Replaces the last messages with the stored messages `tail`. */
export function replaceTail(messages: readonly UIMessage[], tail: readonly UIMessage[]): UIMessage[] {
  const from = messages.findIndex(({ id }) => id === tail[0]?.id)
  return from === -1 ? [...messages] : [...messages.slice(0, from), ...tail]
}
