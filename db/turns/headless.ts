import { randomUUID } from 'node:crypto'
import type { Approvals } from '../../domain/chat/approvals.ts'
import type { Origin } from '../../domain/runs/origin.ts'
import { newRunId } from '../../domain/fields/ids.ts'
import { toStoredMessage, type RequestMessage } from '../../domain/chat/messages.ts'
import type { Tx } from '../postgres/client.ts'
import { insertSessionWithChat } from '../sessions/sessions.ts'
import { insertTurn } from './insert-turn.ts'
import { claimSlot } from './slot.ts'

export type HeadlessTurn = {
  accountId: string
  /** Title of the session and of its chat. */
  title: string
  organizationId: string | null
  artistId: string | null
  origin: Origin
  modelId: string
  /** The last message is from the user. */
  messages: RequestMessage[]
  /** The background run that ends with this run. */
  backgroundRunId?: string
  /** Tools of the session that require approval. */
  approvals?: Approvals | null
}

/** Returns a user message with the prompt as its only text part. */
export function promptMessage(prompt: string): RequestMessage {
  return {
    id: randomUUID(),
    role: 'user',
    parts: [{ type: 'text', text: prompt }],
  }
}

/** Inserts the rows of an accepted headless run: session, chat, slot, run, user message, and log with frame 0. */
export async function acceptHeadless(
  tx: Tx,
  {
    accountId,
    title,
    organizationId,
    artistId,
    origin,
    modelId,
    messages,
    backgroundRunId,
    approvals = null,
  }: HeadlessTurn,
): Promise<{ runId: string; chatId: string; sessionId: string }> {
  const userMessage = messages.at(-1)
  if (userMessage === undefined) throw new Error('a turn must start with a message')
  const runId = newRunId()
  const { session, chat } = await insertSessionWithChat(tx, {
    ownerId: accountId,
    title,
    chatTitle: title,
    organizationId,
    artistId,
    workspace: null,
    modelId,
    approvals,
    origin,
  })
  await claimSlot(tx, chat.id, runId)
  await insertTurn(tx, {
    runId,
    accountId,
    sessionId: session.id,
    chatId: chat.id,
    assistantMessageId: randomUUID(),
    headless: true,
    origin,
    modelId,
    contextLimit: undefined,
    input: messages,
    userMessage: toStoredMessage({ ...userMessage, role: 'user' }),
    title: '',
    backgroundRunId,
  })
  return { runId, chatId: chat.id, sessionId: session.id }
}
