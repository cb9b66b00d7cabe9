import { randomUUID } from 'node:crypto'
import { deriveExpectation, writePlan, type Plan } from '../external-services/plan.ts'
import type { Client, ClientContext, Queued, Started } from './client.ts'
import { followRun } from './client-stream.ts'

/** A chat and the client that writes to it. */
export type UserChat = { client: Client; sessionId: string; chatId: string; key: string }

/**
 * Sends a message that may be queued. `isUnpredictable`: the text and the effects of its turn are unknown, because the
 * message may steer another turn or its turn may be steered.
 */
export const sendBusy = (
  { client, sessionId, chatId }: UserChat,
  plan: Plan,
  onBusy: 'queue' | 'interrupt' | 'steer',
  isUnpredictable = onBusy === 'steer',
): Promise<Started | Queued> => {
  const { text, tokens } = deriveExpectation(plan)
  const operation = {
    kind: 'send' as const,
    chatId,
    onBusy,
    idempotencyKey: randomUUID(),
    userMessageId: `message-${plan.id}`,
    effectTokens: isUnpredictable ? [] : tokens,
    ...(!isUnpredictable && text !== undefined && { expectedText: text }),
  }
  const messages = [{ id: operation.userMessageId, role: 'user', content: writePlan(plan) }]
  return client.submit('/api/chat', operation, { sessionId, chatId, messages, onBusy })
}

/**
 * Reads the turn of a sent message to its end. Returns the run id, or undefined for a message that is held, was removed
 * or joined another turn.
 */
export const followSent = async (
  context: ClientContext,
  { client, chatId }: Pick<UserChat, 'client' | 'chatId'>,
  sent: Started | Queued,
): Promise<string | undefined> => {
  if (typeof sent === 'string') throw new Error(`a message was rejected: ${sent}`)
  if ('runId' in sent) {
    await followRun(context, client, sent, { first: sent.body })
    await client.untilEnded(sent.runId)
    return sent.runId
  }
  const { state, runId } = await client.untilDecided(sent)
  if (state !== 'accepted' || runId === null) return undefined
  context.accepted(runId)
  await followRun(context, client, { runId, chatId })
  await client.untilEnded(runId)
  return runId
}
