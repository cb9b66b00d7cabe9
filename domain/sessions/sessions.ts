import { z } from 'zod'
import { approvalsSchema, type Approvals } from '../chat/approvals.ts'
import type { LostCheckpoint } from '../sandboxes/places.ts'
import { SkillRef, readSkillRefs } from '../tools/skill-refs.ts'
import { toWire } from '../wire.ts'

export const sessionStatuses = ['running', 'completed', 'failed', 'archived'] as const
export type SessionStatus = (typeof sessionStatuses)[number]

const lifecycleStates = [
  'provisioning',
  'active',
  'hibernating',
  'hibernated',
  'restoring',
  'archived',
  'failed',
] as const
export type LifecycleState = (typeof lifecycleStates)[number]

/** State that reopens a session's sandbox. `expiresAt` (epoch ms) is present only while the sandbox runs. */
export type StoredSandboxState = {
  type: string
  sandboxName: string
  source?: { repo: string; branch?: string; newBranch?: string; baseCommit?: string }
  expiresAt?: number
  /** In a fleet: the machine of the files, how often they were lost with a machine, and the newest loss (epoch ms). */
  machine?: string
  epoch?: number
  lostAt?: number
  checkpoint?: LostCheckpoint
}

export type SessionRow = {
  id: string
  ownerId: string
  organizationId: string | null
  artistId: string | null
  title: string
  status: SessionStatus
  repoOwner: string | null
  repoName: string | null
  branch: string | null
  cloneUrl: string | null
  isNewBranch: boolean
  globalSkillRefs: unknown
  approvals: Approvals | null
  sandboxState: StoredSandboxState | null
  lifecycleState: LifecycleState | null
  lifecycleVersion: number
  lifecycleRunId: string | null
  lifecycleError: string | null
  lastActivityAt: Date | null
  sandboxStartedAt: Date | null
  sandboxExpiresAt: Date | null
  hibernateAfter: Date | null
  linesAdded: number | null
  linesRemoved: number | null
  snapshotUrl: string | null
  snapshotCreatedAt: Date | null
  snapshotSizeBytes: number | null
  cachedDiffUpdatedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const time = z.iso.datetime()
const freeForm = z.record(z.string(), z.unknown())

export const sessionSchema = z
  .object({
    id: z.string(),
    userId: z.guid(),
    title: z.string(),
    status: z.enum(sessionStatuses),
    repoOwner: z.string().nullable(),
    repoName: z.string().nullable(),
    branch: z.string().nullable(),
    cloneUrl: z.string().nullable(),
    isNewBranch: z.boolean(),
    globalSkillRefs: z.array(SkillRef),
    sandboxState: freeForm.nullable(),
    lifecycleState: z.enum(lifecycleStates).nullable(),
    lifecycleVersion: z.int(),
    lastActivityAt: time.nullable(),
    sandboxExpiresAt: time.nullable(),
    hibernateAfter: time.nullable(),
    lifecycleRunId: z.string().nullable(),
    lifecycleError: z.string().nullable(),
    linesAdded: z.int().nullable(),
    linesRemoved: z.int().nullable(),
    snapshotUrl: z.string().nullable(),
    snapshotCreatedAt: time.nullable(),
    snapshotSizeBytes: z.int().nullable(),
    cachedDiff: freeForm.nullable(),
    cachedDiffUpdatedAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
    artistId: z.guid().nullable(),
    approvals: approvalsSchema.optional().meta({ description: 'Present only if the session requires approvals.' }),
  })
  .meta({ id: 'Session' })

/** The last computed diff of a session's working tree, or null. */
export type CachedDiff = Record<string, unknown> | null

/** Builds the response for a session. */
export function toSessionResponse(row: SessionRow, cachedDiff: CachedDiff): z.output<typeof sessionSchema> {
  return toWire(sessionSchema, {
    ...row,
    userId: row.ownerId,
    globalSkillRefs: readSkillRefs(row.globalSkillRefs),
    cachedDiff,
    approvals: row.approvals ?? undefined,
  })
}

/** True while the sandbox of an archived session is still running. */
export function isStopping(session: Pick<SessionRow, 'lifecycleState' | 'sandboxState'>): boolean {
  return session.lifecycleState === 'archived' && session.sandboxState?.expiresAt !== undefined
}

/** Fields of a session that a client can change. */
export type SessionPatch = {
  title?: string | undefined
  status?: SessionStatus | undefined
  linesAdded?: number | undefined
  linesRemoved?: number | undefined
  /** Null removes all required approvals. */
  approvals?: Approvals | null | undefined
}

/** Returns the session with the patch applied. */
export function patchSession(session: SessionRow, patch: SessionPatch): SessionRow {
  return {
    ...withStatus(session, patch.status ?? session.status),
    title: patch.title ?? session.title,
    linesAdded: patch.linesAdded ?? session.linesAdded,
    linesRemoved: patch.linesRemoved ?? session.linesRemoved,
    approvals: patch.approvals === undefined ? session.approvals : patch.approvals,
  }
}

const patchableFields = ['title', 'status', 'linesAdded', 'linesRemoved', 'lifecycleState', 'lifecycleRunId'] as const

/** True if a patch changes nothing. */
export function isSameSession(before: SessionRow, after: SessionRow): boolean {
  return (
    patchableFields.every((field) => before[field] === after[field]) &&
    JSON.stringify(before.approvals) === JSON.stringify(after.approvals)
  )
}

/** True if the sandbox is running and does not end within the next `expiryBufferMs` milliseconds. */
export function isSandboxActive(
  session: Pick<SessionRow, 'lifecycleState' | 'sandboxExpiresAt'>,
  expiryBufferMs: number,
): boolean {
  return (
    (session.lifecycleState === 'active' || session.lifecycleState === 'hibernating') &&
    session.sandboxExpiresAt !== null &&
    session.sandboxExpiresAt.getTime() > Date.now() + expiryBufferMs
  )
}

/**
 * Sets the status and the lifecycle that follows from it. An archived session that is set to completed or failed keeps its
 * archived lifecycle until it is set to running. Archiving it again does not change the lifecycle.
 */
function withStatus(session: SessionRow, status: SessionStatus): SessionRow {
  const isArchived = session.lifecycleState === 'archived'
  if (status === 'archived' && !isArchived)
    return {
      ...session,
      status,
      lifecycleState: 'archived',
      lifecycleError: null,
      lifecycleRunId: null,
      sandboxExpiresAt: null,
      hibernateAfter: null,
    }
  if (status === 'running' && isArchived) return { ...session, status, lifecycleState: null, lifecycleError: null }
  return { ...session, status }
}
