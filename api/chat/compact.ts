import { z } from 'zod'
import {
  findLastBeforeUser,
  findSummary,
  findSummaryThrough,
  listSummaries,
  type SummaryRow,
} from '../../db/sessions/summaries.ts'
import { findInherited } from '../../db/runs/inherited.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { EngineTimeoutError } from '../../engine/timeout.ts'
import { compactChat } from '../../workflows/chat/messages.ts'
import { requireCredits } from '../credits/gate.ts'
import type { WorkDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { mebibytes, route, type Caller, type Route } from '../http/route.ts'
import { requireAccountChat } from './start-run.ts'
import { chatTag } from './tag.ts'

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

const routeDefaults = {
  tag: chatTag,
  auth: 'key-or-bearer',
  ownership: 'The chat must belong to the caller, or to the account named by account_id that the caller may act for.',
  envelope: 'standard',
  bodyLimit: mebibytes(1),
  params: z.object({ chatId: z.guid('chatId must be a UUID').toLowerCase() }),
  query: z.object({ account_id: uuid.optional() }),
} as const

export function compactRoute(deps: WorkDeps): Route {
  const { db, engine, log } = deps
  return route({
    ...routeDefaults,
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
      if (existing !== undefined) return { status: 200, body: { summary: toSummaryResponse(existing) } }
      await requireCredits(deps, chat.ownerId)
      await requireModelCall(deps, caller)
      const compaction = engine.join(compactChat, { chatId: chat.id, throughId }, waitTimeoutMs).then(() => true)
      const isDone = await compaction.catch((error: unknown) => {
        if (error instanceof EngineTimeoutError)
          throw new ApiError('timeout', 'The summary is still being generated', { headers: { 'retry-after': '5' } })
        log.warn({ err: error, chatId: chat.id }, 'failed to summarize a chat')
        return false
      })
      // The workflow writes no summary if a turn has already summarized these messages.
      const created =
        (await findSummary(db, summaryKey)) ?? (isDone ? await findSummaryThrough(db, chat.id, throughId) : undefined)
      if (created === undefined) throw new ApiError('bad_gateway', 'The summary could not be generated')
      return { status: 200, body: { summary: toSummaryResponse(created) } }
    },
  })
}

export function summariesRoute(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/chat/{chatId}/summaries',
    summary: 'List the summaries of a chat, newest first',
    description: 'Returns at most 50. A turn uses the newest summary whose messages are a prefix of its history.',
    rate: 'default',
    responses: { 200: z.object({ summaries: z.array(summary) }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params, query }) => {
      const chat = await requireAccountChat(deps, caller, params.chatId, query.account_id)
      return { status: 200, body: { summaries: (await listSummaries(deps.db, chat.id)).map(toSummaryResponse) } }
    },
  })
}

/** Throws 403 if the caller is a run that has used all its steps. A summary requires a model call, which counts as a step. */
async function requireModelCall({ db }: WorkDeps, { origin }: Caller): Promise<void> {
  const inherited = await findInherited(db, origin)
  if (inherited?.limits?.steps === 0) throw new ApiError('forbidden', 'The run has reached its step limit')
}

function toSummaryResponse({ messageIds, createdAt, ...row }: SummaryRow): z.output<typeof summary> {
  return {
    ...row,
    messages: messageIds.length,
    fromMessageId: messageIds[0] ?? '',
    throughMessageId: messageIds.at(-1) ?? '',
    createdAt: createdAt.toISOString(),
  }
}
