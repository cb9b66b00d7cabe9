import { findChat } from '../../../db/sessions/chats.ts'
import type { Tx } from '../../../db/postgres/client.ts'
import { enqueue, enqueueInterrupting, type Enqueued, type NewEntry } from '../../../db/turns/queue/enqueue.ts'
import { findEntry } from '../../../db/turns/queue/queue.ts'
import { maxWaiting, maxWaitingBytes } from '../../../domain/chat/queue.ts'
import type { ApiDeps } from '../../deps.ts'
import { ApiError } from '../../http/errors.ts'
import { untilTrue } from '../../runs/engine.ts'
import { ChatBusy } from '../slot.ts'
import { deliverStop, stopTimeoutMs } from '../stop.ts'

export type Queued = { id: string; position: number }

/** A message that may wait. `remember` belongs into the transaction that lets it wait. */
export type MayWait = { entry: NewEntry; remember: (tx: Tx, queued: Queued) => Promise<void> }

/** `runId`: the turn that an interrupting message has got by now. */
export type Waiting = { queued: Queued; runId: string | undefined }

/** A chat that changes hands this often while one message looks at it is busy. */
const maxLooks = 20

/**
 * Accepts a turn, or lets its message wait while the chat is busy: decided under the lock of the chat, and looked at again
 * when it changed in between. Without `mayWait` a busy chat refuses.
 */
export async function acceptOrWait<A>(
  deps: ApiDeps,
  mayWait: MayWait | undefined,
  accept: () => Promise<A>,
): Promise<{ accepted: A } | Waiting> {
  if (mayWait === undefined) return { accepted: await accept() }
  for (let look = 1; ; look++) {
    const waiting = await letWait(deps, mayWait)
    if (waiting !== undefined) return waiting
    try {
      return { accepted: await accept() }
    } catch (error) {
      if (!(error instanceof ChatBusy) || look === maxLooks) throw error
    }
  }
}

export function queueLocation(chatId: string, { id }: Queued): string {
  return `/api/chat/${chatId}/queue/${id}`
}

/** Undefined when the chat is free. */
async function letWait(deps: ApiDeps, { entry, remember }: MayWait): Promise<Waiting | undefined> {
  const slot = entry.onBusy === 'interrupt' ? (await findChat(deps.db, entry.chatId))?.activeStreamId : undefined
  const enqueued = await deps.db.begin(async (tx): Promise<Enqueued> => {
    const found = slot ? await enqueueInterrupting(tx, slot, entry) : await enqueue(tx, entry)
    if (found.outcome === 'full') throw queueFull()
    if (found.outcome === 'queued') await remember(tx, found.entry)
    return found
  })
  if (enqueued.outcome !== 'queued') return undefined
  const { entry: queued, stopped } = enqueued
  if (stopped === undefined) return { queued, runId: undefined }
  await deliverStop(deps, stopped)
  return { queued, runId: await turnOf(deps, entry.chatId, queued) }
}

/** The turn of a message that interrupts, as soon as the other has ended; undefined when that takes long. */
async function turnOf({ db }: ApiDeps, chatId: string, { id }: Queued): Promise<string | undefined> {
  let runId: string | undefined
  await untilTrue(async () => {
    const entry = await findEntry(db, chatId, id)
    runId = entry?.state === 'accepted' ? (entry.runId ?? undefined) : undefined
    return entry?.state !== 'waiting'
  }, Date.now() + stopTimeoutMs)
  return runId
}

/** The refusal of a message for which the queue has no room. */
export function queueFull(): ApiError {
  return new ApiError(
    'rate_limited',
    `At most ${maxWaiting} messages, and ${maxWaitingBytes / 1024 / 1024} MB of them, wait in a chat`,
    {
      headers: { 'retry-after': '2' },
    },
  )
}
