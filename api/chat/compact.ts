import { z } from 'zod'
import {
  findLastBeforeUser,
  findSummary,
  findSummaryThrough,
  listSummaries,
  type SummaryRow,
} from '../../db/sessions/summaries.ts'
import { findInherited } from '../../db/runs/inherited.ts'
import { EngineTimeoutError } from '../../engine/timeout.ts'
import { compactChat } from '../../workflows/chat/messages.ts'
import { requireCredits } from '../credits/gate.ts'
import type { WorkDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { route, ok, type Caller, type Route } from '../http/route.ts'
import { requireAccountChat, accountChatRoute } from './start-run.ts'
import { toWire } from '../../domain/wire.ts'

const waitTimeoutMs = 60_000

const summary = z
  .object({
    id: z.guid(),
    text: z.string(),
    messages: z.int().meta({ description: 'Number of messages that the summary replaces.' }),
    fromMessageId: z.string(),
    throughMessageId: z.string(),
    modelId: z.string(),
    tokensBefore: z.int().meta({ description: 'Estimated tokens of the replaced messages.' }),
    tokensAfter: z.int().meta({ description: 'Estimated tokens of the summary text.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ChatSummary' })

export function compactRoute(deps: WorkDeps): Route {
  const { db, engine, log } = deps
  return route({
    ...accountChatRoute,
    method: 'POST',
    path: '/api/chat/{chatId}/compact',
    summary: 'Summarize the earlier turns of a chat',
    description:
      'The model of the chat summarizes all messages before the last user message. Later turns send the summary to the ' +
      'model instead of these messages, which stay in the chat. A repeated call returns the same summary until the next ' +
      'user message.',
    rate: 'starts',
    waitMs: waitTimeoutMs,
    responses: { 200: z.object({ summary }) },
    errors: ['insufficient_credits', 'forbidden', 'not_found', 'conflict', 'bad_gateway', 'timeout'],
    handle: async ({ caller, params, query }) => {
      const chat = await requireAccountChat(deps, caller, params.chatId, query.account_id)
      const throughId = await findLastBeforeUser(db, chat.id)
      if (throughId === undefined) throw new ApiError('conflict', 'There are no earlier turns to summarize')
      const summaryKey = `${chat.id}:${throughId}`
      const existing = await findSummary(db, summaryKey)
      if (existing !== undefined) return ok({ summary: toSummaryResponse(existing) })
      await requireCredits(deps, chat.ownerId)
      await requireModelCall(deps, caller)
      const compaction = engine.join(compactChat, { chatId: chat.id, throughId }, waitTimeoutMs).then(() => true)
      const isDone = await compaction.catch((error: unknown) => {
        if (error instanceof EngineTimeoutError)
          throw new ApiError('timeout', 'The summary is still being generated', { retryAfter: 5 })
        log.warn({ err: error, chatId: chat.id }, 'failed to summarize a chat')
        return false
      })
      // The workflow writes no summary if a turn has already summarized these messages.
      const created =
        (await findSummary(db, summaryKey)) ?? (isDone ? await findSummaryThrough(db, chat.id, throughId) : undefined)
      if (created === undefined) throw new ApiError('bad_gateway', 'The summary could not be generated')
      return ok({ summary: toSummaryResponse(created) })
    },
  })
}

export function summariesRoute(deps: WorkDeps): Route {
  return route({
    ...accountChatRoute,
    method: 'GET',
    path: '/api/chat/{chatId}/summaries',
    summary: 'List the summaries of a chat, newest first',
    description: 'Returns at most 50. A turn uses the newest summary whose messages are a prefix of its history.',
    responses: { 200: z.object({ summaries: z.array(summary) }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params, query }) => {
      const chat = await requireAccountChat(deps, caller, params.chatId, query.account_id)
      return ok({ summaries: (await listSummaries(deps.db, chat.id)).map(toSummaryResponse) })
    },
  })
}

/** Throws 403 if the caller is a run that has used all its steps. A summary requires a model call, which counts as a step. */
async function requireModelCall({ db }: WorkDeps, { origin }: Caller): Promise<void> {
  const inherited = await findInherited(db, origin)
  if (inherited?.limits?.steps === 0) throw new ApiError('forbidden', 'The run has reached its step limit')
}

function toSummaryResponse(row: SummaryRow): z.output<typeof summary> {
  const { messageIds } = row
  const [fromMessageId = ''] = messageIds
  return toWire(summary, {
    ...row,
    messages: messageIds.length,
    fromMessageId,
    throughMessageId: messageIds.at(-1) ?? fromMessageId,
  })
}
