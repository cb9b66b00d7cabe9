import { describe, expect, it } from 'vitest'
import {
  isSameSession,
  isStopping,
  patchSession,
  toSessionResponse,
  sessionSchema,
  type LifecycleState,
  type SessionRow,
  type SessionStatus,
} from '../../../domain/sessions/sessions.ts'

const at = new Date('2026-01-02T03:04:05.678Z')
const session: SessionRow = {
  id: '7d9f7d9e-7c1c-4b6e-9d5e-1f0f4f6f0001',
  ownerId: '7d9f7d9e-7c1c-4b6e-9d5e-1f0f4f6f0002',
  organizationId: null,
  artistId: null,
  title: 'Lisbon',
  status: 'running',
  repoOwner: 'workspaces',
  repoName: 'one',
  branch: null,
  cloneUrl: 'https://host.test/workspaces/one.git',
  isNewBranch: false,
  globalSkillRefs: [],
  approvals: null,
  sandboxState: { type: 'local', sandboxName: 'session-1', expiresAt: 5 },
  lifecycleState: 'active',
  lifecycleVersion: 3,
  lifecycleRunId: 'w1',
  lifecycleError: 'Sandbox could not be stopped',
  lastActivityAt: at,
  sandboxStartedAt: at,
  sandboxExpiresAt: at,
  hibernateAfter: at,
  linesAdded: 1,
  linesRemoved: 2,
  snapshotUrl: null,
  snapshotCreatedAt: null,
  snapshotSizeBytes: null,
  cachedDiffUpdatedAt: null,
  createdAt: at,
  updatedAt: at,
}

const createSession = (status: SessionStatus, lifecycleState: LifecycleState | null): SessionRow => ({
  ...session,
  status,
  lifecycleState,
})

describe('a status that a client sets', () => {
  it.each<[SessionStatus, LifecycleState | null, SessionStatus, LifecycleState | null]>([
    ['running', 'active', 'archived', 'archived'],
    ['running', 'provisioning', 'archived', 'archived'],
    ['completed', 'hibernated', 'archived', 'archived'],
    ['failed', null, 'archived', 'archived'],
    ['archived', 'archived', 'running', null],
    ['archived', 'archived', 'completed', 'archived'],
    ['archived', 'archived', 'failed', 'archived'],
    ['archived', 'archived', 'archived', 'archived'],
    ['completed', 'archived', 'running', null],
    ['completed', 'archived', 'archived', 'archived'],
    ['running', 'active', 'completed', 'active'],
    ['completed', 'active', 'failed', 'active'],
    ['failed', 'hibernated', 'running', 'hibernated'],
  ])('changes %s/%s to %s/%s', (status, lifecycleState, next, nextLifecycle) => {
    expect(patchSession(createSession(status, lifecycleState), { status: next })).toMatchObject({
      status: next,
      lifecycleState: nextLifecycle,
    })
  })

  it('clears the times, the error and the watcher if it archives the session', () => {
    expect(patchSession(session, { status: 'archived' })).toMatchObject({
      lifecycleError: null,
      lifecycleRunId: null,
      sandboxExpiresAt: null,
      hibernateAfter: null,
      sandboxState: session.sandboxState,
      lastActivityAt: at,
    })
  })

  it('clears the error if it restores the session', () => {
    const archived = { ...createSession('archived', 'archived'), lifecycleError: 'Sandbox could not be stopped' }
    expect(patchSession(archived, { status: 'running' }).lifecycleError).toBeNull()
  })
})

describe('a patch', () => {
  it('with the stored values changes nothing', () => {
    const patch = { title: 'Lisbon', status: 'running', linesAdded: 1, linesRemoved: 2 } as const
    expect(isSameSession(session, patchSession(session, patch))).toBe(true)
    expect(isSameSession(session, patchSession(session, {}))).toBe(true)
  })

  it.each([{ title: 'Oslo' }, { linesAdded: 0 }, { linesRemoved: 0 }, { status: 'completed' as const }])(
    '%j changes the session',
    (patch) => {
      const patched = patchSession(session, patch)
      expect(patched).toMatchObject(patch)
      expect(isSameSession(session, patched)).toBe(false)
    },
  )
})

describe('a sandbox', () => {
  it('is stopping while its archived session still has an expiry', () => {
    expect(isStopping(createSession('archived', 'archived'))).toBe(true)
    expect(isStopping(createSession('running', 'active'))).toBe(false)
    expect(isStopping({ lifecycleState: 'archived', sandboxState: { type: 'local', sandboxName: 's' } })).toBe(false)
    expect(isStopping({ lifecycleState: 'archived', sandboxState: null })).toBe(false)
  })
})

describe('a session in a response', () => {
  it('has exactly the fields of its schema', () => {
    const response = toSessionResponse(session, null)
    expect(sessionSchema.strict().parse(response)).toEqual(response)
    expect(response).toMatchObject({ userId: session.ownerId, createdAt: '2026-01-02T03:04:05.678Z' })
  })

  it.each([
    ['no array', { source: 'a/b', skillName: 'x' }, []],
    ['a source without a slash', [{ source: 'ab', skillName: 'x' }], []],
    ['a source with two slashes', [{ source: 'a/b/c', skillName: 'x' }], []],
    ['a skill name with a space', [{ source: 'a/b', skillName: 'x y' }], []],
    [
      'extra members',
      [{ source: 'a/b', skillName: 'x', pinned: true }],
      [{ source: 'a/b', skillName: 'x', pinned: true }],
    ],
    ['surrounding white space', [{ source: ' a/b ', skillName: ' x ' }], [{ source: 'a/b', skillName: 'x' }]],
    [
      'a repeated pair',
      [
        { source: 'a/b', skillName: 'x', first: true },
        { source: 'A/B', skillName: 'X' },
        { source: 'a/b', skillName: 'y' },
      ],
      [
        { source: 'a/b', skillName: 'x', first: true },
        { source: 'a/b', skillName: 'y' },
      ],
    ],
  ])('contains stored skills with %s', (_, globalSkillRefs, shown) => {
    expect(toSessionResponse({ ...session, globalSkillRefs }, null).globalSkillRefs).toEqual(shown)
  })
})
