import { z } from 'zod'
import { text } from '../fields/fields.ts'
import { messageText, toStoredMessage, type MessagePart, type RequestMessage, type StoredMessage } from './messages.ts'
import type { TurnEnd } from './turns.ts'
import { toWire } from '../wire.ts'

/** Maximum number of waiting messages in a chat, and maximum size of these messages and their histories as JSON. */
export const maxWaiting = 20
export const maxWaitingBytes = 20 * 1024 * 1024

/** Maximum bytes of messages that join a turn before one step; other messages join before later steps. */
export const maxJoiningBytes = 4_000_000

/** Behavior of a message whose chat is busy. */
export const onBusySchema = z
  .enum(['reject', 'queue', 'interrupt', 'steer'])
  .meta({ description: 'What happens to the message if the chat has a live run. Default: reject.' })
export type OnBusy = Exclude<z.output<typeof onBusySchema>, 'reject'>

/** Reason why a queue is held. A held queue starts no messages. */
export type Hold =
  | 'requested'
  | 'stopped'
  | 'failed'
  | 'awaiting_user'
  | 'insufficient_credits'
  | 'sandbox_not_initialized'

type QueueState = 'waiting' | 'accepted' | 'steered' | 'removed'

/** A queued message or its outcome. */
export type QueueEntry = {
  id: string
  messageId: string
  state: QueueState
  onBusy: OnBusy
  /** Position in the queue, from 1; null if the message no longer waits. */
  position: number | null
  /** Null once the message is stored in the chat. */
  message: StoredMessage | null
  runId: string | null
  createdAt: Date
}

export type Queue = { hold: Hold | null; holdText: string | null; entries: QueueEntry[]; nextAfter: string | undefined }

export const queuedSchema = z.object({ id: z.string(), position: z.int() })

export const queueEntrySchema = z
  .object({
    id: z.string(),
    messageId: z.string(),
    state: z.enum(['waiting', 'accepted', 'steered', 'removed']),
    onBusy: z.enum(['queue', 'interrupt', 'steer']),
    position: z.int().nullable().meta({ description: 'Position from 1; null when the message no longer waits.' }),
    text: z.string().nullable().meta({ description: 'Text of a waiting message; null otherwise.' }),
    runId: z.string().nullable().meta({ description: 'The run that the message started or joined.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'QueueEntry' })

export const queueSchema = z
  .object({
    held: z.boolean(),
    heldBecause: z
      .enum(['requested', 'stopped', 'failed', 'awaiting_user', 'insufficient_credits', 'sandbox_not_initialized'])
      .nullable(),
    heldText: z.string().nullable().meta({ description: 'How the turn ended, if a failed turn holds the queue.' }),
    queue: z.array(queueEntrySchema),
    nextAfter: z.string().optional().meta({ description: 'The `after` of the next page; absent on the last page.' }),
  })
  .meta({ id: 'ChatQueue' })

/** Fields of a queued message that can be changed. */
export const queueChanges = z
  .object({ text: text(1, 1_000_000).optional(), position: z.int().min(1).max(maxWaiting).optional() })
  .refine((changes) => changes.text !== undefined || changes.position !== undefined, {
    error: 'text or position is required',
    path: [],
  })
  .meta({ anyOf: [{ required: ['text'] }, { required: ['position'] }] })

export function toEntryResponse(entry: QueueEntry): z.output<typeof queueEntrySchema> {
  const { state, message, runId } = entry
  return toWire(queueEntrySchema, {
    ...entry,
    text: message && messageText(message),
    runId: state === 'waiting' ? null : runId,
  })
}

/** Builds the response for a queue. An empty queue is never held. */
export function toQueueResponse({ hold, holdText, entries, nextAfter }: Queue): z.output<typeof queueSchema> {
  const held = hold !== null && entries.length > 0
  return {
    held,
    heldBecause: held ? hold : null,
    heldText: held ? holdText : null,
    queue: entries.map(toEntryResponse),
    ...(nextAfter !== undefined && { nextAfter }),
  }
}

/** Returns the hold that the end of a turn causes; undefined if the next message may start. A stop sets its own hold. */
export function holdAfter(end: TurnEnd | undefined): { hold: Hold; text: string | null } | undefined {
  switch (end?.reason) {
    case 'awaiting_user':
      return { hold: 'awaiting_user', text: null }
    case 'error':
      return { hold: 'failed', text: end.errorText }
    case 'time_limit':
      return { hold: 'failed', text: 'The run exceeded its time limit' }
    default:
      return undefined
  }
}

/** Replaces the text parts of a message with one new text. */
export function withText(message: StoredMessage, text: string): StoredMessage {
  return { ...message, parts: [{ type: 'text', text }, ...message.parts.filter((part) => part.type !== 'text')] }
}

/**
 * Returns the history of a queued message at its turn: the messages that the client sent, the messages that the chat has
 * stored since, and the message itself. `queued`: ids of messages that wait or waited in this chat and are not stored in it.
 */
export function historyAtTurn(options: {
  sent: readonly RequestMessage[]
  since: readonly StoredMessage[]
  queued: ReadonlySet<string>
  message: StoredMessage
}): RequestMessage[] {
  const { sent, since, queued, message } = options
  const storedIds = new Set(since.map(({ id }) => id))
  const earlierMessages = sent.filter(({ id }) => !storedIds.has(id) && !queued.has(id) && id !== message.id)
  return [...earlierMessages, ...since.filter(({ id }) => id !== message.id), message]
}

/** Returns the part for a message that joins a turn, which is also its frame. `index`: its number in the turn, from 0. */
export function steerFrame(entry: { id: string; message: StoredMessage }, position: { index: number; step: number }) {
  const { id, message } = entry
  return { type: 'data-steer', id, data: { ...position, messageId: message.id, parts: message.parts } }
}

/** Returns the parts of a message that joined the turn at this part; undefined for any other part. */
export function steeredParts({ type, data }: MessagePart): MessagePart[] | undefined {
  if (type !== 'data-steer' || typeof data !== 'object' || data === null || !('parts' in data)) return undefined
  return Array.isArray(data.parts) ? data.parts.filter(isPart) : undefined
}

/** Splits the messages into the last message, which is undefined unless a user sent it, and the history before it. */
export function splitHistory(messages: readonly RequestMessage[]): {
  message: StoredMessage | undefined
  history: RequestMessage[]
} {
  const last = messages.at(-1)
  const isUser = last !== undefined && last.role === 'user'
  return { message: isUser ? toStoredMessage({ ...last, role: 'user' }) : undefined, history: messages.slice(0, -1) }
}

function isPart(part: unknown): part is MessagePart {
  return typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string'
}
