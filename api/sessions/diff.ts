import { z } from 'zod'
import { lifecycleTimes } from '../../domain/sandboxes/lifecycle.ts'
import { isSandboxActive, type SessionRow } from '../../domain/sessions/sessions.ts'
import { findCachedDiff } from '../../db/sessions/sessions.ts'
import type { WorkDeps } from '../deps.ts'
import { ApiError, throwAs } from '../http/errors.ts'
import { requireOwnSession, requireUsableSession } from '../access/owned.ts'
import { mebibytes, route, ok, standardRoute, type Route } from '../http/route.ts'
import { computeDiff } from '../../workflows/repositories/messages.ts'
import { notInitialized } from '../sandboxes/lifecycle.ts'
import { sessionsTag } from './route-defaults.ts'

const timeoutMs = 60_000

const file = z.object({
  path: z.string(),
  oldPath: z.string().optional(),
  status: z.enum(['modified', 'added', 'renamed', 'deleted']),
  stagingStatus: z.enum(['staged', 'unstaged', 'partial']).optional(),
  additions: z.int(),
  deletions: z.int(),
  diff: z.string(),
  localDiff: z.string().optional(),
  generated: z.boolean().optional(),
  truncated: z.boolean().optional(),
})
const diffSchema = z
  .object({
    files: z.array(file),
    summary: z.object({ totalFiles: z.int(), totalAdditions: z.int(), totalDeletions: z.int() }),
    baseRef: z.string().optional(),
  })
  .meta({ id: 'Diff', description: 'Changes of a working tree since the commit with which its sandbox started.' })

const routeDefaults = {
  ...standardRoute,
  method: 'GET',
  tag: sessionsTag,
  ownership: 'The session must belong to the caller.',
  bodyLimit: mebibytes(1),
  params: z.object({ sessionId: z.string() }),
} as const

/** Routes that compute and read the changes of a session's working tree since its initial commit. */
export function diffRoutes(deps: WorkDeps): Route[] {
  return [computeRoute(deps), cachedRoute(deps)]
}

function computeRoute(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    path: '/api/sessions/{sessionId}/diff',
    summary: "Compute the diff of a session's working tree",
    description: 'Requires an active sandbox. `/diff/cached` returns the stored result.',
    waitMs: timeoutMs,
    responses: { 200: diffSchema },
    errors: ['forbidden', 'not_found', 'sandbox_not_initialized', 'bad_gateway'],
    handle: async ({ caller, params }) => {
      const session = await requireUsableSession(deps.db, caller, params.sessionId)
      if (!isSandboxActive(session, lifecycleTimes(deps.config).expiryBufferMs)) throw notInitialized()
      await deps.engine
        .join(computeDiff, { sessionId: session.id }, timeoutMs)
        .catch(throwAs((cause) => new ApiError('bad_gateway', 'Diff could not be computed', { cause })))
      const storedDiff = await findStoredDiff(deps, await requireOwnSession(deps.db, caller, session.id))
      if (storedDiff === undefined) throw new ApiError('bad_gateway', 'Diff could not be computed')
      return { status: 200, body: storedDiff.data }
    },
  })
}

async function findStoredDiff({ db }: WorkDeps, session: SessionRow) {
  const diff = await findCachedDiff(db, session)
  const updatedAt = session.cachedDiffUpdatedAt
  return diff === null || updatedAt === null ? undefined : { data: diff as z.output<typeof diffSchema>, updatedAt }
}

function cachedRoute(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    path: '/api/sessions/{sessionId}/diff/cached',
    summary: 'Read the last computed diff',
    responses: { 200: z.object({ data: diffSchema, cachedAt: z.iso.datetime(), isStale: z.boolean() }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params }) => {
      const session = await requireOwnSession(deps.db, caller, params.sessionId)
      const storedDiff = await findStoredDiff(deps, session)
      if (storedDiff === undefined) throw new ApiError('not_found', 'No cached diff available')
      const isStale = session.lastActivityAt !== null && session.lastActivityAt > storedDiff.updatedAt
      return ok({ data: storedDiff.data, cachedAt: storedDiff.updatedAt.toISOString(), isStale })
    },
  })
}
