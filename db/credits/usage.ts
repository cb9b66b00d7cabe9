import type { UsageBucket } from '../../domain/credits/usage-period.ts'
import type { Db } from '../postgres/client.ts'
import { instantAt, toMicros } from '../postgres/micros.ts'

export type UsageEvent = {
  reference: string
  /** Negative for a refund. */
  credits: number
  source: 'web' | 'api'
  agentType: string | null
  provider: string | null
  modelId: string | null
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  toolCallCount: number
  resourceUrl: string | null
  createdAt: Date
  /** `createdAt` in microseconds, the sort key. */
  createdMicros: number
}

/** Period from `from` through the millisecond `to`. */
export type Period = { accountId: string; from: Date; to: Date }
type UsagePeriod = Omit<Period, 'accountId'> & Partial<Pick<Period, 'accountId'>>

/** Sort key and reference of the last row of the previous page. */
type UsagePosition = { sort: 'created_at' | 'cost'; key: number; reference: string }
export type UsagePage = Period & { sort: UsagePosition['sort']; limit: number; after?: UsagePosition | undefined }

/** Returns usage events, newest first or most expensive first. */
export function listUsage(db: Db, page: UsagePage): Promise<UsageEvent[]> {
  return db<UsageEvent[]>`
    select reference, credits, source, agent_type, provider, model_id, input_tokens, cached_input_tokens,
      output_tokens, tool_call_count, resource_url, created_at,
      ${toMicros(db, db`created_at`)} as created_micros
    from usage_events where ${isInPeriod(db, page)} ${isAfterPosition(db, page.after)}
    order by ${page.sort === 'cost' ? db`credits` : db`created_at`} desc, reference desc limit ${page.limit}`
}

export async function readUsageTotal(db: Db, period: Period): Promise<number> {
  const [row] = await db<{ credits: number }[]>`
    select coalesce(sum(credits), 0)::bigint as credits from usage_events where ${isInPeriod(db, period)}`
  return row?.credits ?? 0
}

export type UsageSum = { start: Date; credits: number; web: number; api: number }

/**
 * Returns the credits used per hour, day or week (from Monday) in UTC, by source, including intervals without usage.
 * Without an account, sums all accounts.
 */
export function listUsageSeries(db: Db, period: UsagePeriod, bucket: UsageBucket): Promise<UsageSum[]> {
  return db<UsageSum[]>`
    with spent as (
      select date_trunc(${bucket}::text, created_at at time zone 'UTC') as start, sum(credits) as credits,
        sum(credits) filter (where source = 'web') as web, sum(credits) filter (where source = 'api') as api
      from usage_events where ${isInPeriod(db, period)} group by 1
    )
    select start at time zone 'UTC' as start, coalesce(spent.credits, 0)::bigint as credits,
      coalesce(spent.web, 0)::bigint as web, coalesce(spent.api, 0)::bigint as api
    from generate_series(
      date_trunc(${bucket}::text, ${period.from.toISOString()}::timestamptz at time zone 'UTC'),
      ${period.to.toISOString()}::timestamptz at time zone 'UTC',
      make_interval(hours => 1) * ${{ hour: 1, day: 24, week: 168 }[bucket]}::int
    ) as bucket (start) left join spent using (start) order by start`
}

function isInPeriod(db: Db, { accountId, from, to }: UsagePeriod) {
  return db`
  ${accountId === undefined ? db`` : db`account_id = ${accountId} and`} created_at >= ${from.toISOString()}::timestamptz
  and created_at < ${to.toISOString()}::timestamptz + interval '1 millisecond'`
}

function isAfterPosition(db: Db, after: UsagePosition | undefined) {
  if (after === undefined) return db``
  const key = after.sort === 'cost' ? db`${after.key}::bigint` : instantAt(db, after.key)
  return db`and (${after.sort === 'cost' ? db`credits` : db`created_at`}, reference) < (${key}, ${after.reference})`
}
