import { newQueuedId } from '../../../domain/fields/ids.ts'
import type { RequestMessage, StoredMessage } from '../../../domain/chat/messages.ts'
import { maxWaiting, type OnBusy, type QueueEntry } from '../../../domain/chat/queue.ts'
import type { Origin } from '../../../domain/runs/origin.ts'
import type { Tx } from '../../postgres/client.ts'
import { branchPath, onPath } from '../../sessions/branch-path.ts'
import { findInherited, inheritedJson } from '../../runs/inherited.ts'
import { findRun, isLive, type Run } from '../../runs/runs.ts'
import { requestStop } from '../record-stop.ts'
import { endHold, hasRoom, listWaiting, lockChat, saveOrder, type LockedChat, type WaitingMessage } from './queue.ts'

/** A message that waits for its turn. */
export type NewEntry = {
  chatId: string
  onBusy: OnBusy
  message: StoredMessage
  /** The earlier messages that the client sent. */
  history: RequestMessage[]
  /** Whether the client sent no history, so that the turn reads all stored messages of the chat. */
  isWholeChat: boolean
  headless: boolean
  origin: Origin
  contextLimit: number | undefined
}

/** `free`: the message need not wait. `stopped`: the interrupted run, whose stop must be delivered. */
export type EnqueueResult =
  | { outcome: 'queued'; entry: Pick<QueueEntry, 'id'> & { position: number }; stopped?: Run }
  | { outcome: 'free' | 'full' }

/**
 * Queues a message if its chat has a live run, or waiting messages and no hold. If a message with this id already waits,
 * updates its `onBusy`.
 */
export async function enqueue(tx: Tx, entry: NewEntry): Promise<EnqueueResult> {
  const chat = await lockChat(tx, entry.chatId)
  if (chat === undefined) return { outcome: 'free' }
  const waiting = await listWaiting(tx, chat.id)
  if (!(await isLiveRun(tx, chat.slot)) && (waiting.length === 0 || chat.hold !== null)) return { outcome: 'free' }
  return insertEntry(tx, chat, entry, waiting)
}

/**
 * Stops the run in the slot and inserts the message at the front of the queue, in one transaction. The transaction that
 * ends the run accepts the message. Also returns `free` when another run has taken the slot; the caller then tries again.
 */
export async function enqueueInterrupting(tx: Tx, runId: string, entry: NewEntry): Promise<EnqueueResult> {
  // Locks the log and the run before the chat, in the order in which a run is ended.
  const run = await requestStop(tx, runId)
  const chat = await lockChat(tx, entry.chatId)
  if (chat?.slot !== runId || run === undefined || !isLive(run.status)) return { outcome: 'free' }
  const enqueued = await insertEntry(tx, chat, entry, await listWaiting(tx, chat.id))
  return enqueued.outcome === 'queued' ? { ...enqueued, stopped: run } : enqueued
}

async function insertEntry(
  tx: Tx,
  chat: LockedChat,
  entry: NewEntry,
  waiting: WaitingMessage[],
): Promise<EnqueueResult> {
  const existing = waiting.find(({ messageId }) => messageId === entry.message.id)
  if (existing !== undefined)
    return { outcome: 'queued', entry: await changeOnBusy(tx, chat, existing, entry.onBusy, waiting) }
  const { message, history } = entry
  const [messageText, historyText] = [JSON.stringify(message), JSON.stringify(history)]
  const isFull = waiting.length >= maxWaiting || !hasRoom(waiting, [messageText, historyText])
  if (isFull) return { outcome: 'full' }
  if (waiting.length === 0) await endHold(tx, chat.id)
  const id = newQueuedId()
  const { onBusy, headless, origin, contextLimit, isWholeChat } = entry
  const inherited = inheritedJson(await findInherited(tx, origin))
  await tx`
    insert into chat_queue
      (id, chat_id, place, on_busy, message_id, message, history, since_message_id, headless, source, context_limit, run_id,
        inherited)
    values (${id}, ${chat.id}, ${nextPosition(tx, chat.id)}, ${onBusy}, ${message.id}, ${messageText}::text::json,
      ${historyText}::text::json, ${isWholeChat ? null : await findLatestUserMessage(tx, chat.id)}, ${headless},
      ${origin.source}, ${contextLimit ?? null}, ${onBusy === 'steer' ? chat.slot : null}, ${inherited}::text::jsonb)`
  const position = onBusy === 'interrupt' ? await moveToFront(tx, chat.id, id, waiting) : waiting.length + 1
  return { outcome: 'queued', entry: { id, position } }
}

/** SQL for the position after the last waiting message. Positions are not renumbered when a message is accepted. */
function nextPosition(tx: Tx, chatId: string) {
  return tx`(select coalesce(max(place), 0) + 1 from chat_queue where chat_id = ${chatId} and state = 'waiting')`
}

/** Applies a new `onBusy` to a waiting message, whose content does not change. An interrupting message moves to the front. */
async function changeOnBusy(
  tx: Tx,
  chat: LockedChat,
  existing: WaitingMessage,
  onBusy: OnBusy,
  waiting: WaitingMessage[],
) {
  const { id } = existing
  const position = waiting.indexOf(existing) + 1
  if (onBusy === 'queue' || onBusy === existing.onBusy) return { id, position }
  await tx`
    update chat_queue set on_busy = ${onBusy}, run_id = ${onBusy === 'steer' ? chat.slot : null} where id = ${id}`
  if (onBusy === 'steer') return { id, position }
  const otherMessages = waiting.filter((message) => message.id !== id)
  return { id, position: await moveToFront(tx, chat.id, id, otherMessages) }
}

/** Moves a message to the front of the queue, but after the other interrupting messages. Returns its position. */
async function moveToFront(
  tx: Tx,
  chatId: string,
  id: string,
  otherMessages: readonly WaitingMessage[],
): Promise<number> {
  const index = otherMessages.filter(({ onBusy }) => onBusy === 'interrupt').length
  const ids = otherMessages.map((message) => message.id)
  await saveOrder(tx, chatId, ids.toSpliced(index, 0, id))
  return index + 1
}

/** Returns the id of the last user message. The history of a waiting message may lack this and later messages. */
async function findLatestUserMessage(tx: Tx, chatId: string): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    with recursive ${branchPath(tx, chatId, undefined)}
    select id from chat_messages where chat_id = ${chatId} and role = 'user' and ${onPath(tx)}
    order by position desc limit 1`
  return row?.id ?? null
}

async function isLiveRun(tx: Tx, runId: string | null): Promise<boolean> {
  const run = runId === null ? undefined : await findRun(tx, runId)
  return run !== undefined && isLive(run.status)
}
