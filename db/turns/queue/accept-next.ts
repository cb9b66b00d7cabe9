import { randomUUID } from 'node:crypto'
import { newRunId } from '../../../domain/fields/ids.ts'
import { chatTitleFrom, messageText, type RequestMessage, type StoredMessage } from '../../../domain/chat/messages.ts'
import { historyAtTurn, holdAfter, type Hold, type OnBusy } from '../../../domain/chat/queue.ts'
import type { Inherited } from '../../../domain/runs/origin.ts'
import type { TurnTerms } from '../../../domain/chat/turn-terms.ts'
import type { TurnEnd } from '../../../domain/chat/turns.ts'
import { coverTurn } from '../../credits/credits.ts'
import type { Db, Pool, Tx } from '../../postgres/client.ts'
import { isContentError } from '../../postgres/failures.ts'
import { pageClause, type IdPage } from '../../postgres/id-pages.ts'
import { listMessages } from '../../sessions/messages.ts'
import { insertTurn } from '../insert-turn.ts'
import { claimSlot, touchActiveSandbox } from '../slot.ts'
import { closeQuestions } from '../questions/question.ts'
import { endHold, endWaiting, holdQueue, lockChat, type LockedChat } from './queue.ts'

/** A turn that was accepted from the queue and whose workflow must be started. */
export type NextTurn = { runId: string; headless: boolean; bounded: boolean }

type Ending = {
  /** How the previous turn ended; undefined if the queue does not depend on it. */
  end: TurnEnd | undefined
  terms: TurnTerms
  /** False when the row of the session is not locked, because its sandbox was not active. */
  sessionLocked: boolean
}

/**
 * Accepts the next waiting message of a locked chat with a free slot, unless its queue is held or must be held. Call it in
 * the transaction that releases the slot. If the message cannot be stored, holds the queue instead of failing the
 * transaction.
 */
export async function acceptNext(tx: Tx, chat: LockedChat, ending: Ending): Promise<NextTurn | undefined> {
  const next = await findNext(tx, chat, ending)
  if (next === undefined) return undefined
  const hold = await findHold(tx, chat, next, ending)
  if (hold !== undefined) {
    await holdQueue(tx, chat.id, hold)
    return undefined
  }
  try {
    return await tx.savepoint((inner) => accept(inner, chat, next, ending.terms))
  } catch (error) {
    if (!isContentError(error)) throw error
    await holdQueue(tx, chat.id, 'failed', 'Internal error')
    return undefined
  }
}

/** Like `acceptNext`, but for a chat whose slot is already free. `resume` ends the hold first. */
export async function acceptWaiting(
  db: Pool,
  { chatId, terms, resume = false }: { chatId: string; terms: TurnTerms; resume?: boolean },
): Promise<NextTurn | undefined> {
  return db.begin(async (tx) => {
    // Locks the session before the chat, in the order in which a turn is accepted.
    await tx`
      select 1 from sessions where id = (select session_id from chats where id = ${chatId}) for no key update`
    const chat = await lockChat(tx, chatId)
    if (chat === undefined) return undefined
    if (resume) await endHold(tx, chatId)
    if (chat.slot !== null) return undefined
    const unheldChat = resume ? { ...chat, hold: null } : chat
    return acceptNext(tx, unheldChat, {
      end: resume ? undefined : await readLastEnd(tx, chat),
      terms,
      sessionLocked: true,
    })
  })
}

/** Returns chats whose next message was not accepted when the slot became free, for example by a build without queues. */
export function listUnacceptedQueues(db: Db, page: IdPage): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select distinct chat_id as id from chat_queue join chats on chats.id = chat_id
    where state = 'waiting' and active_stream_id is null and (queue_hold is null or on_busy = 'interrupt')
      and ${pageClause(db, page, 'chat_id')}`
}

type NextMessage = { id: string; onBusy: OnBusy; headless: boolean }

async function findNext(tx: Tx, chat: LockedChat, { end }: Ending): Promise<NextMessage | undefined> {
  const waiting = await tx<NextMessage[]>`
    select id, on_busy, headless from chat_queue where chat_id = ${chat.id} and state = 'waiting' order by place`
  if (waiting.length === 0) return undefined
  const newHold = holdAfter(end)
  if (newHold !== undefined) await holdQueue(tx, chat.id, newHold.hold, newHold.text)
  const isHeld = chat.hold !== null || newHold !== undefined
  return isHeld ? waiting.find(({ onBusy }) => onBusy === 'interrupt') : waiting[0]
}

/** Returns why the turn of a message cannot start; undefined if it can. */
async function findHold(
  tx: Tx,
  chat: LockedChat,
  { headless }: NextMessage,
  { terms, sessionLocked }: Ending,
): Promise<Hold | undefined> {
  if (terms.requireCredits) {
    const { covered } = await coverTurn(tx, { accountId: chat.ownerId, plans: terms.plans })
    if (!covered) return 'insufficient_credits'
  }
  // A headless turn creates its own sandbox.
  const isReady = headless
    ? await isUnarchived(tx, chat.sessionId)
    : sessionLocked && (await touchActiveSandbox(tx, chat.sessionId, terms.idleTimeoutMs, terms.expiryBufferMs))
  return isReady ? undefined : 'sandbox_not_initialized'
}

async function isUnarchived(tx: Tx, sessionId: string): Promise<boolean> {
  const sessions = await tx`
    select 1 from sessions where id = ${sessionId} and lifecycle_state is distinct from 'archived'`
  return sessions.length > 0
}

type QueuedContent = {
  message: StoredMessage
  history: RequestMessage[]
  sinceMessageId: string | null
  source: 'web' | 'api'
  contextLimit: number | null
  inherited: Inherited | null
}

async function accept(
  tx: Tx,
  chat: LockedChat,
  { id, headless }: NextMessage,
  terms: TurnTerms,
): Promise<NextTurn | undefined> {
  const runId = newRunId()
  if (!(await claimSlot(tx, chat.id, runId))) return undefined
  const [content] = await tx<[QueuedContent]>`
    select message, history, since_message_id, source, context_limit, inherited from chat_queue where id = ${id}`
  const { message, source, contextLimit, inherited } = content
  const input = await readHistory(tx, chat.id, content)
  await closeQuestions(tx, chat.id)
  await insertTurn(tx, {
    runId,
    accountId: chat.ownerId,
    sessionId: chat.sessionId,
    chatId: chat.id,
    assistantMessageId: randomUUID(),
    headless,
    origin: { source, inherited },
    modelId: chat.modelId ?? terms.defaultModel,
    contextLimit: contextLimit ?? undefined,
    input,
    userMessage: message,
    title: chatTitleFrom(messageText(message)),
  })
  await endWaiting(tx, chat.id, { ids: [id], state: 'accepted', runId })
  return { runId, headless, bounded: inherited !== null }
}

async function readHistory(
  tx: Tx,
  chatId: string,
  { message, history, sinceMessageId }: QueuedContent,
): Promise<RequestMessage[]> {
  const page = await listMessages(tx, chatId, { limit: 1000 })
  const storedMessages = page?.messages ?? []
  const from =
    sinceMessageId === null
      ? 0
      : Math.max(
          0,
          storedMessages.findIndex(({ id }) => id === sinceMessageId),
        )
  const queued = await tx<{ messageId: string }[]>`
    select message_id from chat_queue where chat_id = ${chatId} and state <> 'accepted'
      and not exists (select 1 from chat_messages where chat_id = ${chatId} and id = message_id)`
  return historyAtTurn({
    sent: history,
    since: storedMessages.slice(from),
    queued: new Set(queued.map(({ messageId }) => messageId)),
    message,
  })
}

/** Returns how the last turn of a chat with a free slot ended. */
async function readLastEnd(tx: Tx, chat: LockedChat): Promise<TurnEnd | undefined> {
  const [run] = await tx<{ endReason: string | null; error: string | null }[]>`
    select end_reason, error from runs
    where session_id = ${chat.sessionId} and chat_id = ${chat.id} order by created_at desc limit 1`
  return run?.endReason === 'awaiting_user' || run?.endReason === 'time_limit' || run?.endReason === 'error'
    ? ({ reason: run.endReason, errorText: run.error } as TurnEnd)
    : undefined
}
