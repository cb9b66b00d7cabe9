import { z } from 'zod'
import { listUsage, listUsageSeries, readUsageTotal, type UsageEvent } from '../../db/credits/usage.ts'
import { queryInteger } from '../../domain/fields/fields.ts'
import { creditsToUsd } from '../../domain/credits/money.ts'
import {
  chooseBucket,
  explainInvalidPeriod,
  resolvePeriod,
  periodQuery,
  usageBuckets,
} from '../../domain/credits/usage-period.ts'
import { resolveReadable } from '../access/access.ts'
import { cursorParameter, bindCursors } from '../http/cursor.ts'
import type { RouteDeps } from '../deps.ts'
import { route, ok, type Route } from '../http/route.ts'
import { routeDefaults } from './credits.ts'
import { toWire } from '../../domain/wire.ts'

const query = z
  .object({
    limit: queryInteger(1, 100, 20),
    sort: z.enum(['created_at', 'cost']).default('created_at'),
    cursor: cursorParameter,
    ...periodQuery,
  })
  .superRefine((usageQuery, ctx) => {
    const message = explainInvalidPeriod(usageQuery, new Date())
    if (message !== undefined) ctx.addIssue({ code: 'custom', message, path: ['from'], input: usageQuery })
  })
type Query = z.output<typeof query>

/** Contents of a cursor: the last event of its page, and the period that was resolved for the first page. */
const position = z.object({ key: z.int(), reference: z.string(), from: z.coerce.date(), to: z.coerce.date() })

const event = z.object({
  id: z.string(),
  kind: z.enum(['charge', 'refund']),
  credits: z.int(),
  usd: z.string(),
  source: z.enum(['web', 'api']),
  agent_type: z.string().nullable(),
  provider: z.string().nullable(),
  model_id: z.string().nullable(),
  input_tokens: z.int(),
  cached_input_tokens: z.int(),
  output_tokens: z.int(),
  tool_call_count: z.int(),
  resource_url: z.string().nullable(),
  created_at: z.iso.datetime(),
})

export function usageRoute(deps: RouteDeps): Route {
  const { db } = deps
  const bindQuery = (accountId: string, { sort, from, to }: Query) =>
    bindCursors(deps, position, accountId, ['usage', sort, from ?? null, to ?? null])
  return route({
    ...routeDefaults,
    path: '/api/accounts/{id}/usage',
    summary: 'List the credit usage of an account',
    description:
      'Returns the charges and refunds of a period, by default the current month, sorted by newest or by highest cost. Only the first page contains `series`, the usage per time bucket.',
    query,
    responses: {
      200: z.object({
        account_id: z.guid(),
        period: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }),
        total_credits_deducted: z.int(),
        total_usd: z.string(),
        events: z.array(event),
        next_cursor: z.string().nullable(),
        series_bucket: z.enum(usageBuckets).optional(),
        series: z
          .array(
            z.object({
              start: z.iso.datetime(),
              credits: z.int(),
              by_source: z.object({ web: z.int(), api: z.int() }),
            }),
          )
          .optional(),
      }),
    },
    errors: ['forbidden'],
    authorize: async ({ caller, params, query: usageQuery }) => {
      bindQuery(params.id, usageQuery).open(usageQuery.cursor)
      await resolveReadable(deps, caller, params.id)
    },
    handle: async ({ params: { id: accountId }, query: usageQuery }) => {
      const { sort, limit, cursor } = usageQuery
      const cursors = bindQuery(accountId, usageQuery)
      const start = cursors.open(cursor)
      const { from, to } = start ?? resolvePeriod(usageQuery, new Date())
      const period = { accountId, from, to }
      const bucket = chooseBucket(period)
      const after = start && { sort, key: start.key, reference: start.reference }
      const [items, total, series] = await Promise.all([
        listUsage(db, { ...period, sort, limit: limit + 1, after }),
        readUsageTotal(db, period),
        start === undefined ? listUsageSeries(db, period, bucket) : undefined,
      ])
      const { rows, next } = cursors.cut(items, limit, ({ credits, createdMicros, reference }) => {
        const key = sort === 'cost' ? credits : createdMicros
        return { key, reference, from, to }
      })
      return ok({
        account_id: accountId,
        period: { from: from.toISOString(), to: to.toISOString() },
        total_credits_deducted: total,
        total_usd: creditsToUsd(total),
        events: rows.map(toEventResponse),
        next_cursor: next,
        ...(series && {
          series_bucket: bucket,
          series: series.map(({ start, credits, web, api }) => ({
            start: start.toISOString(),
            credits,
            by_source: { web, api },
          })),
        }),
      })
    },
  })
}

function toEventResponse(row: UsageEvent): z.output<typeof event> {
  const { reference: id, credits } = row
  return toWire(event, { ...row, id, kind: credits < 0 ? 'refund' : 'charge', usd: creditsToUsd(credits) })
}
