import { WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { z } from 'zod'
import { touchSandbox } from '../../db/sandboxes/lifecycle.ts'
import { lifecycleTimes } from '../../domain/sandboxes/lifecycle.ts'
import { hasSnapshot, toLifecycleResponse, lifecycleSchema } from '../../domain/sandboxes/lifecycle-view.ts'
import { isSandboxActive, type SessionRow } from '../../domain/sessions/sessions.ts'
import { EngineTimeoutError } from '../../engine/client.ts'
import type { WorkDeps } from '../deps.ts'
import { ApiError, invalidField, notFound, throwAs } from '../http/errors.ts'
import { wakeIfNeeded, wakeIfOverdue, sandboxTag } from './lifecycle.ts'
import { requireOwnSession, repositoryDenied, requireUsableSession } from '../access/owned.ts'
import { mebibytes, route, ok, type Route } from '../http/route.ts'
import { provisionSandbox } from '../../workflows/sandboxes/messages.ts'
import { createSandboxStarts } from './starts.ts'
import { withoutTrailingSlashes } from '../../domain/fields/addresses.ts'

const startTimeoutMs = 120_000

const routeDefaults = {
  tag: sandboxTag,
  auth: 'key-or-bearer',
  ownership: 'The session must belong to the caller.',
  envelope: 'sandbox',
  bodyLimit: mebibytes(1),
} as const

/** Routes that start a session's sandbox and read its state. */
export function sandboxRoutes(deps: WorkDeps): Route[] {
  return [provision(deps), status(deps)]
}

function provision(deps: WorkDeps): Route {
  const runStart = createSandboxStarts(deps.config.SANDBOX_STARTS)
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/sandbox',
    summary: "Start or resume a session's sandbox",
    description:
      'Returns when the sandbox is ready. Concurrent calls share one start. If the sandbox is already active, the call counts as activity.',
    rate: 'starts',
    idempotent: true,
    waitMs: startTimeoutMs,
    example: { sessionId: '5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a' },
    body: z.object({ sessionId: z.string(), repoUrl: z.string().optional() }),
    responses: {
      200: z.object({
        createdAt: z.number(),
        timeout: z.number(),
        currentBranch: z.string(),
        mode: z.string(),
        timing: z.object({ readyMs: z.number() }),
      }),
    },
    errors: ['forbidden', 'not_found', 'bad_gateway', 'timeout'],
    handle: async ({ caller, body }) => {
      const startedAt = performance.now()
      const session = await requireUsableSession(deps.db, caller, body.sessionId)
      requireOwnRepository(session, body.repoUrl)
      if (session.lifecycleState === 'archived') throw archivedError()
      const times = lifecycleTimes(deps.config)
      const wasActive =
        isSandboxActive(session, times.expiryBufferMs) && (await touchSandbox(deps.db, session.id, times)) !== undefined
      if (wasActive) wakeIfNeeded(deps, session)
      else
        await runStart(session.ownerId, startTimeoutMs, (remainingMs) =>
          deps.engine.join(provisionSandbox, { sessionId: session.id }, remainingMs).catch(throwAs(toApiError)),
        )
      const current = await requireOwnSession(deps.db, caller, session.id)
      if (current.lifecycleState === 'archived') throw archivedError()
      const { sandboxState, sandboxStartedAt, sandboxExpiresAt } = current
      if (sandboxState === null || sandboxStartedAt === null || sandboxExpiresAt === null) throw notProvisioned()
      // After a start, `timeout` is the configured lifetime; for an active sandbox, it is the remaining time.
      const lifetimeStart = wasActive ? Date.now() : sandboxStartedAt.getTime()
      return ok({
        createdAt: sandboxStartedAt.getTime(),
        timeout: sandboxExpiresAt.getTime() - lifetimeStart,
        currentBranch: current.branch ?? 'main',
        mode: sandboxState.type,
        timing: { readyMs: Math.round(performance.now() - startedAt) },
      })
    },
  })
}

function requireOwnRepository(session: SessionRow, repoUrl: string | undefined): void {
  if (repoUrl === undefined) return
  if (session.cloneUrl !== null && normalizeRepositoryUrl(repoUrl) === normalizeRepositoryUrl(session.cloneUrl)) return
  throw invalidField("repoUrl must be the session's repository", 'repoUrl')
}

/** Removes the differences that do not matter: case, trailing slashes and `.git`. */
function normalizeRepositoryUrl(url: string): string {
  return withoutTrailingSlashes(url.trim().toLowerCase()).replace(/\.git$/, '')
}

function archivedError(): ApiError {
  return new ApiError('conflict', 'Session is archived')
}

function toApiError(error: unknown): ApiError {
  if (error instanceof EngineTimeoutError)
    return new ApiError('timeout', 'Sandbox is still starting', { retryAfter: 5 })
  const type = failureType(error)
  if (type === 'SessionArchived') return archivedError()
  if (type === 'RepositoryDenied') return repositoryDenied()
  if (type === 'SessionGone') return notFound('Session')
  return notProvisioned(error)
}

/** Returns the type of the application failure that caused a workflow to fail. */
function failureType(error: unknown): string | undefined {
  let cause = error instanceof WorkflowFailedError ? error.cause : undefined
  while (cause instanceof Error && !(cause instanceof ApplicationFailure)) cause = cause.cause as Error | undefined
  return cause instanceof ApplicationFailure ? (cause.type ?? undefined) : undefined
}

function notProvisioned(cause?: unknown): ApiError {
  return new ApiError('bad_gateway', 'Sandbox could not be provisioned', { cause })
}

function status(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/sandbox/status',
    summary: "Read the state of a session's sandbox",
    rate: 'default',
    query: z.object({ sessionId: z.string() }),
    responses: {
      200: z.object({
        status: z.enum(['active', 'no_sandbox']),
        hasSnapshot: z.boolean(),
        lifecycleVersion: z.int(),
        lifecycle: lifecycleSchema,
      }),
    },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, query }) => {
      const session = await requireOwnSession(deps.db, caller, query.sessionId)
      await wakeIfOverdue(deps, session)
      const isActive = isSandboxActive(session, lifecycleTimes(deps.config).expiryBufferMs)
      return ok({
        status: isActive ? 'active' : 'no_sandbox',
        hasSnapshot: hasSnapshot(session, isActive),
        lifecycleVersion: session.lifecycleVersion,
        lifecycle: toLifecycleResponse(session),
      })
    },
  })
}
