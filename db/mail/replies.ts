import { randomUUID } from 'node:crypto'
import { chatTitleFrom } from '../../domain/chat/messages.ts'
import { newRunId } from '../../domain/fields/ids.ts'
import { personOrigin } from '../../domain/runs/origin.ts'
import type { ReceivedMail, ReplyRejection } from '../../domain/mail/reply.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { pageClause, type IdPage } from '../postgres/id-pages.ts'
import { findChat } from '../sessions/chats.ts'
import { lockSession } from '../sessions/sessions.ts'
import { insertTurn } from '../turns/insert-turn.ts'
import { claimSlot } from '../turns/slot.ts'
import { readHistory } from '../turns/history.ts'
import { closeQuestions } from '../turns/questions/question.ts'

export type ReplyRow = {
  id: string
  providerKey: string
  chatId: string
  /** Null when the email provider stores the content. */
  content: ReceivedMail | null
  /** Text of the reply; null until the email is read and its sender verified. */
  words: string | null
  receivedAt: Date
}

/** Stores an email that was received for a chat, once per provider key. */
export async function insertReply(
  db: Db,
  reply: { providerKey: string; chatId: string; content?: ReceivedMail },
): Promise<void> {
  const content = reply.content === undefined ? null : JSON.stringify(reply.content)
  await db`
    insert into mail_replies (provider_key, chat_id, content)
    values (${reply.providerKey}, ${reply.chatId}, ${content}::text::json)
    on conflict (provider_key) do nothing`
}

/** Returns due replies that were neither accepted nor ignored. */
export function listReceivedReplies(db: Db, page: IdPage): Promise<ReplyRow[]> {
  return db<ReplyRow[]>`
    select id, provider_key, chat_id, content, words, received_at from mail_replies
    where status = 'received' and due_at <= now() and ${pageClause(db, page)}`
}

/** Stores the text of a reply in place of the email while its chat is busy. */
export async function storeReplyText(db: Db, id: string, words: string): Promise<void> {
  await db`
    update mail_replies set words = ${words}, content = null where id = ${id} and status = 'received'`
}

/** Postpones the next attempt to read the email: by 2 s, doubling up to 10 minutes. */
export async function postponeRead(db: Db, id: string): Promise<void> {
  await db`
    update mail_replies
    set due_at = now() + make_interval(secs => least(600, 2 ^ least(failed_reads + 1, 10))),
      failed_reads = failed_reads + 1
    where id = ${id} and status = 'received'`
}

/** Ignores a reply permanently and deletes its content. */
export async function ignoreReply(db: Db, id: string, reason: ReplyRejection): Promise<void> {
  await db`
    update mail_replies set status = 'ignored', reason = ${reason}, content = null, words = null, ended_at = now()
    where id = ${id} and status = 'received'`
}

const maxPerHour = 10

/**
 * Accepts a reply as the next message of its chat, with a headless run. Returns the id of the run, or why there is no run.
 * `busy`: the chat has a live turn, and the reply waits. Undefined when the reply was processed concurrently.
 */
export async function acceptReply(
  tx: Tx,
  reply: { id: string; chatId: string; text: string; defaultModel: string },
): Promise<{ runId: string } | { reason: ReplyRejection | 'busy' } | undefined> {
  const { id, chatId, text } = reply
  const chat = await findChat(tx, chatId)
  if (chat === undefined) return { reason: 'gone' }
  // Locks the session before the chat, as every other acceptance of a turn does, to prevent deadlocks.
  const session = await lockSession(tx, chat.sessionId)
  if (session === undefined) return { reason: 'gone' }
  if (session.status === 'archived') return { reason: 'archived' }
  const [pendingReply] = await tx`select 1 from mail_replies where id = ${id} and status = 'received' for update`
  if (pendingReply === undefined) return undefined
  const recentReplies = await tx`
    select 1 from mail_replies
    where chat_id = ${chatId} and status = 'answered' and ended_at > now() - interval '1 hour' limit ${maxPerHour}`
  if (recentReplies.length === maxPerHour) return { reason: 'too_many' }
  const runId = newRunId()
  if (!(await claimSlot(tx, chatId, runId))) return { reason: 'busy' }
  await closeQuestions(tx, chatId)
  const userMessage = {
    id: `mail-${id}`,
    role: 'user' as const,
    parts: [{ type: 'text', text }],
    metadata: { source: 'mail' },
  }
  await insertTurn(tx, {
    runId,
    accountId: session.ownerId,
    sessionId: session.id,
    chatId,
    assistantMessageId: randomUUID(),
    headless: true,
    origin: personOrigin('api'),
    modelId: chat.modelId ?? reply.defaultModel,
    contextLimit: undefined,
    input: [...(await readHistory(tx, chatId)), userMessage],
    userMessage,
    title: chatTitleFrom(text),
  })
  await tx`
    update mail_replies set status = 'answered', run_id = ${runId}, content = null, words = null, ended_at = now()
    where id = ${id}`
  return { runId }
}
