import type { HistorySummary } from '../../domain/chat/prompt/compaction.ts'
import { usdToCredits } from '../../domain/credits/money.ts'
import type { Usage } from '../../domain/credits/usage.ts'
import { debitAccount } from '../credits/ledger.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { branchPath, onPath } from './branch-path.ts'

export type SummaryRow = HistorySummary & {
  modelId: string
  tokensBefore: number
  tokensAfter: number
  createdAt: Date
}

export type NewSummary = Pick<SummaryRow, 'messageIds' | 'text' | 'modelId' | 'tokensBefore' | 'tokensAfter'> & {
  chatId: string
  accountId: string
  source: 'web' | 'api'
  /** Unique key of the work for which the summary was made. */
  madeFor: string
  /** The run that made the summary. */
  runId?: string
  usage: Usage
  costUsd: number
}

const maxSummaries = 50

/** Returns the summaries of a chat, newest first. */
export function listSummaries(db: Db, chatId: string): Promise<SummaryRow[]> {
  return db<SummaryRow[]>`
    select ${columns(db)} from chat_summaries where chat_id = ${chatId} order by created_at desc, id limit ${maxSummaries}`
}

export async function findSummary(db: Db, madeFor: string): Promise<SummaryRow | undefined> {
  const [row] = await db<SummaryRow[]>`select ${columns(db)} from chat_summaries where made_for = ${madeFor}`
  return row
}

/** Of the summaries that end with this message, returns the one that covers the most messages. */
export async function findSummaryThrough(db: Db, chatId: string, throughId: string): Promise<SummaryRow | undefined> {
  const [row] = await db<SummaryRow[]>`
    select ${columns(db)} from chat_summaries
    where chat_id = ${chatId} and message_ids[cardinality(message_ids)] = ${throughId}
    order by cardinality(message_ids) desc, created_at desc limit 1`
  return row
}

/** Returns the last message before the last user message, if any. */
export async function findLastBeforeUser(db: Db, chatId: string): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    with recursive ${branchPath(db, chatId, undefined)}
    select id from chat_messages
    where chat_id = ${chatId} and ${onPath(db)} and position < (
      select max(position) from chat_messages where chat_id = ${chatId} and role = 'user' and ${onPath(db)}
    )
    order by position desc limit 1`
  return row?.id
}

/** Stores a summary and charges for it once. Does nothing if the summary exists or the chat was deleted. */
export async function insertSummary(tx: Tx, summary: NewSummary): Promise<void> {
  const [chat] = await tx`select 1 from chats where id = ${summary.chatId} for no key update`
  if (chat === undefined) return
  const { modelId, usage, runId } = summary
  const inserted = await tx`
    insert into chat_summaries
      (chat_id, made_for, run_id, message_ids, text, model_id, usage, cost_usd, tokens_before, tokens_after)
    values (${summary.chatId}, ${summary.madeFor}, ${runId ?? null}, ${summary.messageIds}::text[], ${summary.text},
      ${modelId}, ${JSON.stringify(usage)}::text::json, ${summary.costUsd}, ${summary.tokensBefore},
      ${summary.tokensAfter})
    on conflict (made_for) do nothing`
  if (inserted.count === 0) return
  await debitAccount(tx, {
    accountId: summary.accountId,
    amount: usdToCredits(String(summary.costUsd)),
    reference: `compact:${summary.madeFor}`,
    usage: {
      source: summary.source,
      agentType: 'compact',
      provider: modelId.split('/')[0],
      modelId,
      ...(runId !== undefined && { runId }),
      inputTokens: usage.inputTokens ?? 0,
      cachedInputTokens: usage.inputTokenDetails.cacheReadTokens ?? 0,
      outputTokens: usage.outputTokens ?? 0,
      toolCallCount: 0,
      resourceUrl: `/chat/${summary.chatId}`,
    },
  })
}

function columns(db: Db) {
  return db`
  id, to_json(message_ids) as message_ids, text, model_id, tokens_before, tokens_after, created_at`
}
