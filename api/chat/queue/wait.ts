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

/** A message that may wait. Call `remember` in the transaction that queues it. */
export type MayWait = { entry: NewEntry; remember: (tx: Tx, queued: Queued) => Promise<void> }

/** `runId`: the turn that an interrupting message has started by now. */
export type Waiting = { queued: Queued; runId: string | undefined }

/** After this many changes of a chat during one request, the chat counts as busy. */
const maxLooks = 20

/**
 * Accepts a turn, or queues its message while the chat is busy. Decides under the lock of the chat, and again if the
 * chat changed in between. Without `mayWait` a busy chat gives an error.
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

/** Undefined when the chat is idle. */
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
  return { queued, runId: await waitForTurn(deps, entry.chatId, queued) }
}

/** Returns the turn of an interrupting message once the other turn has ended; undefined when that takes too long. */
async function waitForTurn({ db }: ApiDeps, chatId: string, { id }: Queued): Promise<string | undefined> {
  let runId: string | undefined
  await untilTrue(async () => {
    const entry = await findEntry(db, chatId, id)
    runId = entry?.state === 'accepted' ? (entry.runId ?? undefined) : undefined
    return entry?.state !== 'waiting'
  }, Date.now() + stopTimeoutMs)
  return runId
}

/** Error for a message that does not fit into the queue. */
export function queueFull(): ApiError {
  return new ApiError(
    'rate_limited',
    `At most ${maxWaiting} messages, and ${maxWaitingBytes / 1024 / 1024} MB of them, wait in a chat`,
    {
      headers: { 'retry-after': '2' },
    },
  )
}
