import { z } from 'zod'
import {
  findCachedDiff,
  countArchivedSessions,
  deleteSession,
  findWorkspace,
  insertSessionWithChat,
  listSessions,
  lockSession,
  updateSession,
  type Workspace,
} from '../../db/sessions/sessions.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { approvalsSchema } from '../../domain/chat/approvals.ts'
import { toChatResponse, chatSchema } from '../../domain/chat/chats.ts'
import { trimmedText, uuid } from '../../domain/fields/fields.ts'
import { cutPage, pageQuery, pagination } from '../../domain/fields/pages.ts'
import {
  isSameSession,
  isStopping,
  patchSession,
  toSessionResponse,
  sessionSchema,
  sessionStatuses,
  type SessionRow,
} from '../../domain/sessions/sessions.ts'
import { requireArtist, requireOrganization } from '../access/access.ts'
import type { StopDeps, WorkDeps } from '../deps.ts'
import { ApiError, notFound, throwAs } from '../http/errors.ts'
import { requireOwnSession } from '../access/owned.ts'
import { mebibytes, route, ok, standardRoute, type Route } from '../http/route.ts'
import { withNoLiveRuns } from '../runs/no-live-runs.ts'
import { ensureWorkspace, stopSandbox } from '../../workflows/sandboxes/messages.ts'
import { logFailure } from '../runs/engine.ts'
import { sessionsTag } from './route-defaults.ts'
import { toWire } from '../../domain/wire.ts'

const workspaceTimeoutMs = 15_000

const routeDefaults = {
  ...standardRoute,
  tag: sessionsTag,
  bodyLimit: mebibytes(1),
} as const

const ownership = 'The session must belong to the caller.'
const params = z.object({ sessionId: z.string() })
const responseSchema = z.object({ session: sessionSchema })

const item = z.object({
  ...sessionSchema.pick({
    id: true,
    title: true,
    status: true,
    repoOwner: true,
    repoName: true,
    branch: true,
    linesAdded: true,
    linesRemoved: true,
    createdAt: true,
    artistId: true,
  }).shape,
  lastActivityAt: z.iso.datetime(),
  hasUnread: z.boolean(),
  hasStreaming: z.boolean(),
  latestChatId: z.string().nullable(),
})

const lineCount = z.int().min(0).max(2_147_483_647)
const changes = z.object({
  title: trimmedText(1, 200).optional(),
  status: z.enum(sessionStatuses).optional(),
  linesAdded: lineCount.optional(),
  linesRemoved: lineCount.optional(),
  lifecycleVersion: z.int().min(0).optional(),
  approvals: approvalsSchema.nullable().optional(),
})
type Changes = z.output<typeof changes>

export function sessionRoutes(deps: StopDeps): Route[] {
  return [create(deps), list(deps), read(deps), update(deps), remove(deps)]
}

function create(deps: StopDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/sessions',
    summary: 'Create a session with its first chat',
    description: 'Without a title, the session is named after a place whose name no other session of the account uses.',
    ownership: 'The session belongs to the caller.',
    idempotent: true,
    example: { title: 'Tour plan' },
    body: z.object({
      title: trimmedText(0, 200).optional(),
      organizationId: uuid.optional(),
      artistId: uuid.optional(),
    }),
    bodyOptional: true,
    responses: { 200: z.object({ session: sessionSchema, chat: chatSchema }) },
    errors: ['forbidden', 'bad_gateway'],
    authorize: async ({ caller, body }) => {
      if (body.organizationId !== undefined)
        await requireOrganization(deps, caller, caller.accountId, body.organizationId)
      if (body.artistId !== undefined) await requireArtist(deps, caller, caller.accountId, body.artistId)
    },
    handle: async ({ caller, body, idempotency }) => {
      const workspace = await ensureWorkspaceRepository(deps, body.organizationId ?? caller.accountId)
      return deps.db.begin(async (tx) => {
        const { session, chat } = await insertSessionWithChat(tx, {
          ownerId: caller.accountId,
          title: body.title || null,
          organizationId: body.organizationId ?? null,
          artistId: body.artistId ?? null,
          workspace,
          modelId: deps.config.defaultModel,
          origin: caller.origin,
        })
        return idempotency.remember(
          tx,
          ok({ session: toSessionResponse(session, null), chat: toChatResponse(chat, deps.config.defaultModel) }),
        )
      })
    },
  })
}

/** Returns the workspace repository of an account or organization, and creates it if it is missing. */
export async function ensureWorkspaceRepository(deps: WorkDeps, ownerId: string): Promise<Workspace> {
  const existing = await findWorkspace(deps.db, ownerId)
  if (existing !== undefined) return existing
  await deps.engine.join(ensureWorkspace, { ownerId: ownerId }, workspaceTimeoutMs).catch(throwAs(workspaceUnavailable))
  const created = await findWorkspace(deps.db, ownerId)
  if (created === undefined) throw workspaceUnavailable()
  return created
}

function workspaceUnavailable(cause?: unknown): ApiError {
  return new ApiError('bad_gateway', 'Workspace repository could not be provisioned', { cause })
}

function list(deps: StopDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/sessions',
    summary: 'List sessions, newest first',
    ownership: 'Sessions of the caller only.',
    query: z.object({ status: z.enum(['all', 'active', 'archived']).default('all'), ...pageQuery(100, 50) }),
    responses: { 200: z.object({ sessions: z.array(item), archivedCount: z.int(), pagination }) },
    handle: async ({ caller, query }) => {
      const [sessionRows, archivedCount] = await Promise.all([
        listSessions(deps.db, caller.accountId, { ...query, limit: query.limit + 1 }),
        countArchivedSessions(deps.db, caller.accountId),
      ])
      const page = cutPage(sessionRows, query)
      return ok({ sessions: page.rows.map((row) => toWire(item, row)), archivedCount, pagination: page.pagination })
    },
  })
}

function read(deps: StopDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/sessions/{sessionId}',
    summary: 'Read a session',
    ownership,
    params,
    responses: { 200: responseSchema },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params }) => {
      const session = await requireOwnSession(deps.db, caller, params.sessionId)
      return ok({ session: toSessionResponse(session, await findCachedDiff(deps.db, session)) })
    },
  })
}

function update(deps: StopDeps): Route {
  return route({
    ...routeDefaults,
    method: 'PATCH',
    path: '/api/sessions/{sessionId}',
    summary: 'Rename, archive or restore a session',
    description: 'Archiving stops the live runs of the session first and its sandbox afterwards.',
    ownership,
    params,
    example: { title: 'Tour plan for autumn' },
    body: changes,
    bodyOptional: true,
    // Removing required approvals widens access: an agent must not remove the approvals of its own session.
    widensAccess: ({ body }) => body.approvals !== undefined,
    responses: { 200: responseSchema },
    errors: ['not_found', 'conflict', 'timeout'],
    handle: async ({ caller, params, body }) => {
      const current = await requireOwnSession(deps.db, caller, params.sessionId)
      const admit = (row: SessionRow): void => requireNoConflict(row, body)
      admit(current)
      const { id } = current
      const session =
        body.status === 'archived'
          ? await withNoLiveRuns(deps, { sessionId: id, admit }, (tx, row) => applyPatch(tx, row, body))
          : await deps.db.begin(async (tx) => {
              const lockedSession = await lockSession(tx, id)
              if (lockedSession === undefined) throw notFound('Session')
              admit(lockedSession)
              return applyPatch(tx, lockedSession, body)
            })
      // The sandbox stops in the background. The row records that it must stop, so the sweeper can retry a failed start.
      if (body.status === 'archived' && isStopping(session))
        logFailure(
          deps,
          deps.engine.start(stopSandbox, { sessionId: id }),
          { sessionId: id },
          'failed to start the workflow that stops a sandbox',
        )
      return ok({ session: toSessionResponse(session, await findCachedDiff(deps.db, session)) })
    },
  })
}

function requireNoConflict(session: SessionRow, patch: Changes): void {
  if (patch.lifecycleVersion !== undefined && patch.lifecycleVersion !== session.lifecycleVersion)
    throw concurrentChange()
  if (patch.status === 'running' && isStopping(session))
    throw new ApiError('conflict', 'Sandbox is still stopping', { retryAfter: 2 })
}

function concurrentChange() {
  return new ApiError('conflict', 'Session was changed by another writer')
}

async function applyPatch(tx: Tx, session: SessionRow, patch: Changes): Promise<SessionRow> {
  const patched = patchSession(session, patch)
  if (isSameSession(session, patched)) return session
  const updated = await updateSession(tx, session, patched)
  if (updated === undefined) throw concurrentChange()
  return updated
}

function remove(deps: StopDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: '/api/sessions/{sessionId}',
    summary: 'Delete a session with its chats',
    description:
      'Stops live runs first and deletes the sandbox afterwards. The workspace repository is kept. An artist that no roster, ' +
      'organization or other session refers to is deleted with its last session.',
    ownership,
    params,
    responses: { 200: z.object({ success: z.literal(true) }) },
    errors: ['forbidden', 'not_found', 'timeout'],
    handle: async ({ caller, params }) => {
      const session = await requireOwnSession(deps.db, caller, params.sessionId)
      await withNoLiveRuns(deps, { sessionId: session.id }, (tx) => deleteSession(tx, session))
      return ok({ success: true })
    },
  })
}
