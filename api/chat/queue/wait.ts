import { findChat } from '../../../db/sessions/chats.ts'
import type { Tx } from '../../../db/postgres/client.ts'
import { enqueue, enqueueInterrupting, type EnqueueResult, type NewEntry } from '../../../db/turns/queue/enqueue.ts'
import { findEntry } from '../../../db/turns/queue/queue.ts'
import { maxWaiting, maxWaitingBytes } from '../../../domain/chat/queue.ts'
import type { StopDeps } from '../../deps.ts'
import { ApiError } from '../../http/errors.ts'
import { untilTrue } from '../../runs/engine.ts'
import { ChatBusyError } from '../busy.ts'
import { deliverStop, stopTimeoutMs } from '../../runs/stop.ts'

export type QueuedMessage = { id: string; position: number }

/** A message to queue if its chat is busy. The transaction that queues the message calls `remember`. */
export type QueueRequest = { entry: NewEntry; remember: (tx: Tx, queued: QueuedMessage) => Promise<unknown> }

/** A message that was queued. `runId` is set if the message interrupted a turn and has already started its own turn. */
export type QueueResult = { queued: QueuedMessage; runId: string | undefined }

/** Maximum number of attempts for a chat that alternates between idle and busy. The last attempt throws. */
const maxAttempts = 20

/**
 * Queues the message if its chat is busy, and otherwise accepts its turn. Checks under the chat's lock whether the chat is
 * busy, and checks again if it becomes busy before the turn is accepted. Without `request`, throws `ChatBusyError` if busy.
 */
export async function acceptOrQueue<A>(
  deps: StopDeps,
  request: QueueRequest | undefined,
  accept: () => Promise<A>,
): Promise<{ accepted: A } | QueueResult> {
  if (request === undefined) return { accepted: await accept() }
  for (let attempt = 1; ; attempt++) {
    const queued = await queueIfBusy(deps, request)
    if (queued !== undefined) return queued
    try {
      return { accepted: await accept() }
    } catch (error) {
      if (!(error instanceof ChatBusyError) || attempt === maxAttempts) throw error
    }
  }
}

export function queueLocation(chatId: string, { id }: QueuedMessage): string {
  return `/api/chat/${chatId}/queue/${id}`
}

/** Queues the message and returns it; returns undefined if the chat is idle. */
async function queueIfBusy(deps: StopDeps, { entry, remember }: QueueRequest): Promise<QueueResult | undefined> {
  const slot = entry.onBusy === 'interrupt' ? (await findChat(deps.db, entry.chatId))?.activeStreamId : undefined
  const enqueued = await deps.db.begin(async (tx): Promise<EnqueueResult> => {
    const result = slot ? await enqueueInterrupting(tx, slot, entry) : await enqueue(tx, entry)
    if (result.outcome === 'full') throw queueFull()
    if (result.outcome === 'queued') await remember(tx, result.entry)
    return result
  })
  if (enqueued.outcome !== 'queued') return undefined
  const { entry: queued, stopped } = enqueued
  if (stopped === undefined) return { queued, runId: undefined }
  await deliverStop(deps, stopped)
  return { queued, runId: await waitForTurn(deps, entry.chatId, queued) }
}

/**
 * Waits until the message that interrupted a turn has left the queue, and returns the run of the message; undefined after
 * `stopTimeoutMs`.
 */
async function waitForTurn({ db }: StopDeps, chatId: string, { id }: QueuedMessage): Promise<string | undefined> {
  let runId: string | undefined
  await untilTrue(async () => {
    const entry = await findEntry(db, chatId, id)
    runId = entry?.state === 'accepted' ? (entry.runId ?? undefined) : undefined
    return entry?.state !== 'waiting'
  }, Date.now() + stopTimeoutMs)
  return runId
}

/** Error for a message that exceeds the limits of the queue. */
export function queueFull(): ApiError {
  return new ApiError(
    'rate_limited',
    `The queue of a chat holds at most ${maxWaiting} messages and ${maxWaitingBytes / 1024 / 1024} MB`,
    { retryAfter: 2 },
  )
}
