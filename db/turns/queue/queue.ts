import type { StoredMessage } from '../../../domain/chat/messages.ts'
import { maxWaitingBytes, type Hold, type Queue, type QueueEntry } from '../../../domain/chat/queue.ts'
import { cutToBytes, maxPageBytes } from '../../../domain/fields/pages.ts'
import { stricterInherited, type Inherited, type Origin } from '../../../domain/runs/origin.ts'
import { findInherited, inheritedJson } from '../../runs/inherited.ts'
import type { Db, Tx } from '../../postgres/client.ts'

/** A chat that the transaction has locked, as required to change its slot or its queue. */
export type LockedChat = {
  id: string
  sessionId: string
  ownerId: string
  modelId: string | null
  /** The run in the slot. */
  slot: string | null
  hold: Hold | null
}

export async function lockChat(tx: Tx, chatId: string): Promise<LockedChat | undefined> {
  const [chat] = await tx<LockedChat[]>`
    select chats.id, session_id, account_id as owner_id, model_id, active_stream_id as slot, queue_hold as hold
    from chats join sessions on sessions.id = session_id
    where chats.id = ${chatId} for no key update of chats`
  return chat
}

/** A waiting message, without its content. `bytes`: size of the message and its history as text. */
export type WaitingMessage = Pick<QueueEntry, 'id' | 'messageId' | 'onBusy'> & { bytes: number }

/** Returns the waiting messages of a chat, in order. */
export function listWaiting(db: Db, chatId: string): Promise<WaitingMessage[]> {
  return db<WaitingMessage[]>`
    select id, message_id, on_busy, bytes from chat_queue
    where chat_id = ${chatId} and state = 'waiting' order by place`
}

/** Returns whether a queue with these messages has room for the additional texts. */
export function hasRoom(waiting: readonly WaitingMessage[], texts: readonly string[]): boolean {
  const bytes = [...waiting.map((message) => message.bytes), ...texts.map((text) => Buffer.byteLength(text))]
  return bytes.reduce((sum, size) => sum + size, 0) <= maxWaitingBytes
}

/**
 * Returns a page of the waiting messages of a chat, in order: the messages after the message `after`, or the first messages
 * if `after` no longer waits, because messages are accepted from the front.
 */
export async function readQueue(db: Db, chatId: string, after?: string): Promise<Queue> {
  const [chat] = await db<Pick<Queue, 'hold' | 'holdText'>[]>`
    select queue_hold as hold, queue_hold_text as hold_text from chats where id = ${chatId}`
  const waiting = await listWaiting(db, chatId)
  const remaining = waiting.slice(waiting.findIndex(({ id }) => id === after) + 1)
  const ids = cutToBytes(remaining, maxPageBytes).map(({ id }) => id)
  const entries = await db<QueueEntry[]>`
    select ${columns(db)} from chat_queue as entry
    where chat_id = ${chatId} and state = 'waiting' and id = any(${ids}::text[]) order by place`
  const nextAfter = ids.length < remaining.length ? ids.at(-1) : undefined
  return { hold: chat?.hold ?? null, holdText: chat?.holdText ?? null, entries, nextAfter }
}

/** Returns a message that waits or waited in this chat. */
export async function findEntry(db: Db, chatId: string, id: string): Promise<QueueEntry | undefined> {
  const [entry] = await db<QueueEntry[]>`
    select ${columns(db)} from chat_queue as entry where id = ${id} and chat_id = ${chatId}`
  return entry
}

/** Returns the run of an accepted message that interrupted another run; undefined for any other message. */
export async function findInterrupting(db: Db, id: string): Promise<string | undefined> {
  const [entry] = await db<{ runId: string }[]>`
    select run_id from chat_queue where id = ${id} and on_busy = 'interrupt' and state = 'accepted'`
  return entry?.runId
}

/** Reorders the waiting messages. Skips ids of messages that no longer wait. */
export async function saveOrder(tx: Tx, chatId: string, ids: readonly string[]): Promise<void> {
  await tx`
    update chat_queue set place = wanted.place
    from unnest(${[...ids]}::text[]) with ordinality as wanted (id, place)
    where chat_queue.id = wanted.id and chat_id = ${chatId} and state = 'waiting'`
}

/**
 * Changes a waiting message of a locked chat. If a run changes it, the turn of the message inherits the limits of that run.
 * Returns false when the queue has no room for the new text.
 */
export async function saveMessage(
  tx: Tx,
  chatId: string,
  { id, message, origin }: { id: string; message: StoredMessage; origin: Origin },
): Promise<boolean> {
  const text = JSON.stringify(message)
  const [entry] = await tx<[{ inherited: Inherited | null; history: number }]>`
    select inherited, octet_length(history::text) as history from chat_queue where id = ${id}`
  const otherMessages = (await listWaiting(tx, chatId)).filter((message) => message.id !== id)
  const changedMessage: WaitingMessage = { id, messageId: message.id, onBusy: 'queue', bytes: entry.history }
  if (!hasRoom([...otherMessages, changedMessage], [text])) return false
  const mergedInherited = stricterInherited(entry.inherited, await findInherited(tx, origin))
  await tx`
    update chat_queue set message = ${text}::text::json, inherited = ${inheritedJson(mergedInherited)}::text::jsonb
    where id = ${id} and state = 'waiting'`
  return true
}

/**
 * Removes these messages, or all messages, from the queue and deletes their content. Returns the number of removed
 * messages.
 */
export async function endWaiting(
  tx: Tx,
  chatId: string,
  { ids, state, runId }: { ids?: readonly string[]; state: 'accepted' | 'steered' | 'removed'; runId?: string },
): Promise<number> {
  const ended = await tx`
    update chat_queue
    set state = ${state}, run_id = ${runId ?? null}, ended_at = now(), message = null, history = null
    where chat_id = ${chatId} and state = 'waiting'
      ${ids === undefined ? tx`` : tx`and id = any(${[...ids]}::text[])`}`
  return ended.count
}

/**
 * Holds the queue of a locked chat, unless it is empty. Keeps an earlier hold, except a hold caused by a question, which
 * would end with the user's answer.
 */
export async function holdQueue(tx: Tx, chatId: string, hold: Hold, text: string | null = null): Promise<void> {
  await tx`
    update chats set queue_hold = ${hold}, queue_hold_text = ${text}
    where id = ${chatId} and (queue_hold is null or queue_hold = 'awaiting_user')
      and exists (select 1 from chat_queue where chat_id = ${chatId} and state = 'waiting')`
}

export async function endHold(tx: Tx, chatId: string): Promise<void> {
  await tx`
    update chats set queue_hold = null, queue_hold_text = null where id = ${chatId} and queue_hold is not null`
}

/** Holds the queue after a stop. Interrupting messages become normal messages, which wait while the queue is held. */
export async function holdForStop(tx: Tx, chatId: string): Promise<void> {
  if ((await lockChat(tx, chatId)) === undefined) return
  await tx`
    update chat_queue set on_busy = 'queue'
    where chat_id = ${chatId} and state = 'waiting' and on_busy = 'interrupt'`
  await holdQueue(tx, chatId, 'stopped')
}

/** Deletes old entries that no longer wait. */
export async function deleteEndedEntries(db: Db, ageDays: number): Promise<void> {
  await db`
    delete from chat_queue where id in (
      select id from chat_queue where ended_at < now() - make_interval(days => ${ageDays}) limit 10000
    )`
}

function columns(db: Db) {
  return db`
  id, message_id, state, on_busy, message, run_id, created_at, case when state = 'waiting' then (
    select count(*)::int from chat_queue as earlier
    where earlier.chat_id = entry.chat_id and earlier.state = 'waiting' and earlier.place <= entry.place
  ) end as position`
}

/** SQL condition on the row of a run: a message waits to join it. */
export function isSteered(db: Db) {
  return db`
  exists (
    select 1 from chat_queue
    where chat_id = run.chat_id and run_id = run.id and state = 'waiting' and on_busy = 'steer'
  )`
}
