import { z } from 'zod'
import { listRuns, type RunFilter } from '../../db/runs/list.ts'
import { queryInteger, uuid } from '../../domain/fields/fields.ts'
import { toListedRunResponse, listedRunSchema, listedStatuses } from '../../domain/runs/listed-run.ts'
import { resolveAccount } from '../access/access.ts'
import type { ApiDeps } from '../deps.ts'
import { cursorParameter, cutPage, openCursor, type CursorBinding } from '../http/cursor.ts'
import { route, type Route } from '../http/route.ts'
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

const query = z.object({
  account_id: uuid.optional(),
  kind: createListSchema(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be a kind of run')).optional(),
  status: createListSchema(z.enum(listedStatuses)).optional(),
  search: z.string().trim().min(1).max(200).optional(),
  tag: z.string().min(1).max(256).optional(),
  session_id: uuid.optional(),
  chat_id: uuid.optional(),
  task_id: uuid.optional(),
  from: instant.optional(),
  to: instant.optional(),
  children: z.enum(['true', 'false']).default('false'),
  waiting: z.enum(['true', 'false']).default('false'),
  limit: queryInteger(1, 100, 50),
  cursor: cursorParameter,
})
type Query = z.output<typeof query>

const position = z.object({ micros: z.int(), id: z.string() })

export function listRunsRoute(deps: ApiDeps): Route {
  const bindCursor = (accountId: string, sent: Query): CursorBinding => {
    const { cursor: _, limit: __, account_id: ___, ...filter } = sent
    return { secret: deps.config.SERVER_SECRET, accountId, query: ['runs', filter] }
  }
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
    authorize: async ({ caller, query: sent }) => {
      await resolveAccount(deps, caller, sent.account_id)
    },
    handle: async ({ caller, query: sent }) => {
      const accountId = sent.account_id ?? caller.accountId
      const binding = bindCursor(accountId, sent)
      const after = openCursor(binding, sent.cursor, position)
      const found = await listRuns(deps.db, toFilter(accountId, sent), { limit: sent.limit + 1, after })
      const { rows, next } = cutPage(binding, found, sent.limit, ({ createdMicros: micros, id }) => ({ micros, id }))
      const now = new Date()
      return {
        status: 200,
        body: {
          runs: rows.map((run) => toListedRunResponse(run, now)),
          next_cursor: next,
        },
      }
    },
  })
}

function toFilter(accountId: string, sent: Query): RunFilter {
  return {
    accountId,
    kinds: sent.kind,
    statuses: sent.status,
    search: sent.search,
    tag: sent.tag,
    sessionId: sent.session_id,
    chatId: sent.chat_id,
    taskId: sent.task_id,
    from: sent.from,
    to: sent.to,
    children: sent.children === 'true',
    waiting: sent.waiting === 'true',
  }
}
