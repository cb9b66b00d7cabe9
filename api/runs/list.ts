import { z } from 'zod'
import { listRuns, countRuns, maxCounted, type RunFilter } from '../../db/runs/list.ts'
import { uuid, queryInteger } from '../../domain/fields/fields.ts'
import {
  toListedRunResponse,
  listedRunSchema,
  listedStatuses,
  type ListedStatus,
} from '../../domain/runs/listed-run.ts'
import { resolveAccount } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { cursorParameter, bindCursors } from '../http/cursor.ts'
import { route, ok, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

const maxListItems = 20

function createListSchema<S extends z.ZodType<string, string>>(item: S) {
  return z
    .string()
    .max(1000)
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item).min(1).max(maxListItems))
    .meta({ override: { type: 'string' } })
}

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

/** Query fields that select runs by properties other than their status. */
const runFilterFields = {
  kind: createListSchema(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be a kind of run')).optional(),
  search: z.string().trim().min(1).max(200).optional(),
  tag: z.string().min(1).max(256).optional(),
  session_id: uuid.optional(),
  chat_id: uuid.optional(),
  task_id: uuid.optional(),
  from: instant.optional(),
  to: instant.optional(),
  children: z.enum(['true', 'false']).default('false'),
}

type FilterFields = {
  [name in Exclude<keyof typeof runFilterFields, 'children'>]?: z.output<(typeof runFilterFields)[name]>
} & { children: 'true' | 'false'; status?: ListedStatus[] | undefined; waiting?: 'true' | 'false' }

function toFilter(accountId: string, fields: FilterFields): RunFilter {
  return {
    accountId,
    kinds: fields.kind,
    statuses: fields.status,
    search: fields.search,
    tag: fields.tag,
    sessionId: fields.session_id,
    chatId: fields.chat_id,
    taskId: fields.task_id,
    from: fields.from,
    to: fields.to,
    children: fields.children === 'true',
    waiting: fields.waiting === 'true',
  }
}

const query = z.object({
  account_id: uuid.optional(),
  ...runFilterFields,
  status: createListSchema(z.enum(listedStatuses)).optional(),
  waiting: z.enum(['true', 'false']).default('false'),
  limit: queryInteger(1, 100, 50),
  cursor: cursorParameter,
})

const position = z.object({ micros: z.int(), id: z.string() })

export function listRunsRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/runs',
    summary: 'List turns and jobs, newest first',
    description:
      'Returns the turns and jobs of an account in one list. `kind` and `status` accept several values, separated by commas. Turns that a job waits for are omitted unless `children` is true. With `waiting`, only the turns that wait for the user are returned: each ended with a question or an approval that is still open.',
    ownership: 'Runs of the caller, or of the account named by account_id that the caller may act for.',
    query,
    responses: { 200: z.object({ runs: z.array(listedRunSchema), next_cursor: z.string().nullable() }) },
    errors: ['forbidden'],
    authorize: ({ caller, query: runQuery }) => resolveAccount(deps, caller, runQuery.account_id),
    handle: async ({ caller, query: { account_id: accountId = caller.accountId, cursor, limit, ...filter } }) => {
      const cursors = bindCursors(deps, position, accountId, ['runs', filter])
      const after = cursors.open(cursor)
      const items = await listRuns(deps.db, toFilter(accountId, filter), { limit: limit + 1, after })
      const { rows, next } = cursors.cut(items, limit, ({ createdMicros: micros, id }) => ({ micros, id }))
      const now = new Date()
      return ok({ runs: rows.map((run) => toListedRunResponse(run, now)), next_cursor: next })
    },
  })
}

const counts = z.object(mapStatuses(() => z.int()))

export function countRunsRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/runs/counts',
    summary: 'Count runs by status',
    description: `Counts the runs that \`GET /api/runs\` lists with the same filters, among the newest ${maxCounted} turns and the newest ${maxCounted} jobs. \`isPartial\` is true if older turns or jobs exist.`,
    ownership: 'Runs of the caller, or of the account named by account_id that the caller may act for.',
    query: z.object({ account_id: uuid.optional(), ...runFilterFields }),
    responses: { 200: z.object({ counts, waiting: z.int(), isPartial: z.boolean() }) },
    errors: ['forbidden'],
    authorize: ({ caller, query: runQuery }) => resolveAccount(deps, caller, runQuery.account_id),
    handle: async ({ caller, query: runQuery }) => {
      const filter = toFilter(runQuery.account_id ?? caller.accountId, runQuery)
      const { statuses, waiting, isPartial } = await countRuns(deps.db, filter)
      return ok({ counts: mapStatuses((status) => statuses.get(status) ?? 0), waiting, isPartial })
    },
  })
}

function mapStatuses<T>(map: (status: ListedStatus) => T): Record<ListedStatus, T> {
  return Object.fromEntries(listedStatuses.map((status) => [status, map(status)])) as Record<ListedStatus, T>
}
