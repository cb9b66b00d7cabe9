import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { mebibytes, route, ok, type Tag, type Caller, type Route } from '../http/route.ts'
import { touchSandbox } from '../../db/sandboxes/lifecycle.ts'
import { listLiveRuns } from '../../db/runs/runs.ts'
import {
  extendedEnd,
  isOverdue,
  lifecycleTimes,
  needsWaking,
  type ProbeOutcome,
} from '../../domain/sandboxes/lifecycle.ts'
import { hasSnapshot, toLifecycleResponse, lifecycleSchema } from '../../domain/sandboxes/lifecycle-view.ts'
import { isSandboxActive, type SessionRow } from '../../domain/sessions/sessions.ts'
import type { WorkDeps } from '../deps.ts'
import { ApiError, throwAs } from '../http/errors.ts'
import { requireOwnSession, requireUsableSession } from '../access/owned.ts'
import { probeSandbox, watchSandbox, extendSandbox } from '../../workflows/sandboxes/messages.ts'
import { logFailure } from '../runs/engine.ts'

export const sandboxTag: Tag = {
  name: 'Sandbox',
  description: 'The sandbox of a session.',
}

/** Wakes the watcher of a session if an activity requires it to act before its timer fires. */
export function wakeIfNeeded(deps: Pick<WorkDeps, 'engine' | 'log' | 'config'>, session: SessionRow): void {
  if (needsWaking(session, Date.now(), lifecycleTimes(deps.config))) wakeSandbox(deps, session.id)
}

/** Wakes the watcher of a session if an action of the watcher is overdue. */
export async function wakeIfOverdue(deps: WorkDeps, session: SessionRow): Promise<void> {
  const times = lifecycleTimes(deps.config)
  const now = Date.now()
  const isOverdueWith = (hasLiveRun: boolean): boolean => isOverdue(session, { now, hasLiveRun }, times)
  if (!isOverdueWith(false) && !isOverdueWith(true)) return
  const runs = await listLiveRuns(deps.db, { sessionId: session.id })
  if (isOverdueWith(runs.length > 0)) wakeSandbox(deps, session.id)
}

const routeDefaults = {
  tag: sandboxTag,
  auth: 'key-or-bearer',
  ownership: 'The session must belong to the caller.',
  envelope: 'sandbox',
  bodyLimit: mebibytes(1),
  rate: 'default',
} as const

const extendTimeoutMs = 30_000
const maxExtendAttempts = 5

const probeTimeoutMs = 20_000

const commonSchemas = { hasSnapshot: z.boolean(), lifecycle: lifecycleSchema }

const reconnectResponse = z.discriminatedUnion('status', [
  z.object({ status: z.literal('no_sandbox'), ...commonSchemas }),
  z.object({ status: z.literal('connected'), expiresAt: z.number().optional(), ...commonSchemas }),
  z.object({ status: z.literal('expired'), ...commonSchemas }),
])

/** Routes that check, extend and keep alive the sandbox of a session. */
export function lifecycleRoutes(deps: WorkDeps): Route[] {
  return [reconnect(deps), activity(deps), extend(deps)]
}

/** Wakes the watcher in the background. If this fails, the sweeper retries it. */
function wakeSandbox(deps: Pick<WorkDeps, 'engine' | 'log'>, sessionId: string): void {
  const start = deps.engine.start(watchSandbox, { sessionId })
  logFailure(deps, start, { sessionId }, 'failed to wake the watcher of a sandbox')
}

function reconnect(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/sandbox/reconnect',
    summary: 'Check whether a sandbox is still running',
    description: 'Runs one command in the sandbox. The call does not count as activity and starts no sandbox.',
    waitMs: probeTimeoutMs,
    query: z.object({ sessionId: z.string() }),
    responses: { 200: reconnectResponse },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, query }) => {
      const initialSession = await requireOwnSession(deps.db, caller, query.sessionId)
      const { expiryBufferMs } = lifecycleTimes(deps.config)
      if (initialSession.sandboxState === null)
        return { status: 200, body: reconnectBody(initialSession, 'none', expiryBufferMs) }
      const outcome = await deps.engine
        .join(probeSandbox, { sessionId: initialSession.id }, probeTimeoutMs)
        .catch((error: unknown): ProbeOutcome => {
          deps.log.warn({ err: error, sessionId: initialSession.id }, 'failed to probe a sandbox')
          return 'unsure'
        })
      const session = await requireOwnSession(deps.db, caller, initialSession.id)
      return { status: 200, body: reconnectBody(session, outcome, expiryBufferMs) }
    },
  })
}

function reconnectBody(
  session: SessionRow,
  outcome: ProbeOutcome,
  expiryBufferMs: number,
): z.output<typeof reconnectResponse> {
  const lifecycle = toLifecycleResponse(session)
  const commonFields = { hasSnapshot: hasSnapshot(session, isSandboxActive(session, expiryBufferMs)), lifecycle }
  if (outcome === 'none') return { status: 'no_sandbox', ...commonFields }
  if (outcome === 'expired') {
    const ended = { ...lifecycle, lastActivityAt: null, hibernateAfter: null, sandboxExpiresAt: null }
    return { status: 'expired', ...commonFields, lifecycle: ended }
  }
  const expiresAt = lifecycle.sandboxExpiresAt ?? session.sandboxState?.expiresAt
  const hasExpiry = expiresAt !== undefined && (outcome === 'connected' || expiresAt > Date.now())
  return { status: 'connected', ...(hasExpiry && { expiresAt }), ...commonFields }
}

function activity(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/sandbox/activity',
    summary: 'Keep a sandbox from hibernating',
    description: 'Counts as activity and restarts the idle time. Requires an active sandbox.',
    example: { sessionId: '5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a' },
    body: z.object({ sessionId: z.string() }),
    responses: {
      200: z.object({ success: z.literal(true), lastActivityAt: z.number(), hibernateAfter: z.number() }),
    },
    errors: ['sandbox_not_initialized', 'forbidden', 'not_found'],
    handle: async ({ caller, body }) => {
      const session = await requireActiveSession(deps, caller, body.sessionId)
      const updated = await touchSandbox(deps.db, session.id, lifecycleTimes(deps.config))
      if (updated === undefined) throw notInitialized()
      wakeIfNeeded(deps, session)
      return ok({
        success: true,
        lastActivityAt: updated.lastActivityAt.getTime(),
        hibernateAfter: updated.hibernateAfter.getTime(),
      })
    },
  })
}

async function requireActiveSession(deps: WorkDeps, caller: Caller, sessionId: string) {
  const session = await requireUsableSession(deps.db, caller, sessionId)
  const { expiryBufferMs } = lifecycleTimes(deps.config)
  if (!isSandboxActive(session, expiryBufferMs) || session.sandboxExpiresAt === null) throw notInitialized()
  return { ...session, sandboxExpiresAt: session.sandboxExpiresAt }
}

export function notInitialized(): ApiError {
  return new ApiError('sandbox_not_initialized', 'Sandbox not initialized')
}

function extend(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/sandbox/extend',
    summary: 'Extend the lifetime of a sandbox',
    description: 'Postpones the end of an active sandbox, up to its maximum lifetime.',
    waitMs: extendTimeoutMs,
    example: { sessionId: '5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a' },
    body: z.object({ sessionId: z.string() }),
    responses: {
      200: z.object({ success: z.literal(true), expiresAt: z.number(), extendedByMs: z.number() }),
    },
    errors: ['sandbox_not_initialized', 'forbidden', 'not_found', 'bad_gateway'],
    handle: async ({ caller, body }) => {
      const deadline = Date.now() + extendTimeoutMs
      for (let attempt = 0; attempt < maxExtendAttempts; attempt++) {
        const session = await requireActiveSession(deps, caller, body.sessionId)
        const endsAt = session.sandboxExpiresAt.getTime()
        const expiresAt = extendedEnd(session, Date.now(), lifecycleTimes(deps.config))
        const response = ok({ success: true, expiresAt, extendedByMs: expiresAt - endsAt })
        if (expiresAt === endsAt) return response
        const { id: sessionId, lifecycleVersion } = session
        const outcome = await deps.engine
          .join(
            extendSandbox,
            { sessionId, lifecycleVersion, expiresAt, requestId: randomUUID() },
            deadline - Date.now(),
          )
          .catch(throwAs(notExtended))
        if (outcome === 'ended') throw notExtended()
        if (outcome === 'changed') continue
        wakeSandbox(deps, sessionId)
        return response
      }
      throw notExtended()
    },
  })
}

function notExtended(cause?: unknown): ApiError {
  return new ApiError('bad_gateway', 'Sandbox could not be extended', { cause })
}
