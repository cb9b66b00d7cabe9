import { describe, expect, it } from 'vitest'
import {
  dueAt,
  extendedEnd,
  isOverdue,
  lifecycleTimes,
  needsWaking,
  nextStep,
  type LifecycleStep,
  type WatchedSession,
} from '../../../domain/sandboxes/lifecycle.ts'
import { loadConfig } from '../../../config.ts'

const times = lifecycleTimes(loadConfig({}))
const minute = 60_000
const now = Date.UTC(2026, 0, 2, 12)
const at = (minutes: number): Date => new Date(now + minutes * minute)

/** An active session whose sandbox started five minutes ago and may hibernate in four minutes. */
const session = {
  lifecycleState: 'active',
  lifecycleRunId: 'watch_1',
  sandboxState: { type: 'local', sandboxName: 'session-1', expiresAt: at(25).getTime() },
  lastActivityAt: at(-1),
  hibernateAfter: at(4),
  sandboxStartedAt: at(-5),
  sandboxExpiresAt: at(25),
  updatedAt: at(-1),
} as const satisfies WatchedSession & { lifecycleRunId: string }

const wait = (minutes: number): LifecycleStep => ({ do: 'wait', ms: minutes * minute })
const findStep = (change: Partial<WatchedSession>, hasLiveRun = false): LifecycleStep =>
  nextStep({ ...session, ...change }, { now, hasLiveRun }, times)

const overdue = (change: Partial<WatchedSession>, hasLiveRun = false): boolean =>
  isOverdue({ ...session, ...change }, { now, hasLiveRun }, times)

it('the lifecycle has the times of the API contract', () => {
  expect(times).toEqual({
    idleTimeoutMs: 5 * minute,
    extendMs: 20 * minute,
    extendBeforeMs: 5 * minute,
    maxMs: 300 * minute,
    expiryBufferMs: 10_000,
    checkMs: 5000,
  })
})

describe('the next step of a session', () => {
  it('is `end` if the session was deleted', () => {
    expect(nextStep(undefined, { now, hasLiveRun: false }, times)).toEqual({ do: 'end' })
  })

  it.each(['provisioning', 'hibernated', 'restoring', 'archived', 'failed', null] as const)(
    'is `end` in the state %s, regardless of the times',
    (lifecycleState) => {
      expect(findStep({ lifecycleState })).toEqual({ do: 'end' })
      expect(findStep({ lifecycleState, hibernateAfter: at(-1) }, true)).toEqual({ do: 'end' })
    },
  )

  it.each([
    ['without a sandbox', { sandboxState: null }],
    ['without an expiry', { sandboxExpiresAt: null }],
  ])('is `end` %s', (_, change) => expect(findStep(change)).toEqual({ do: 'end' }))

  it.each<[string, Partial<WatchedSession>, LifecycleStep]>([
    ['waits until the end of the idle time', {}, wait(4)],
    ['hibernates at the end of the idle time', { hibernateAfter: at(0) }, { do: 'hibernate' }],
    ['counts from the last activity if no time is set', { hibernateAfter: null }, wait(4)],
    ['counts from the last change if no activity is stored', { hibernateAfter: null, lastActivityAt: null }, wait(4)],
    [
      'hibernates shortly before the sandbox expires',
      { hibernateAfter: at(30), sandboxExpiresAt: at(0.1) },
      { do: 'hibernate' },
    ],
    ['waits until the time at which a run would need an extension', { hibernateAfter: at(24) }, wait(20)],
    [
      'waits for the remaining time if it is shorter than the check interval',
      { hibernateAfter: at(4), sandboxExpiresAt: at(4.5) },
      wait(4),
    ],
    ['waits at least five seconds', { hibernateAfter: at(0.01) }, { do: 'wait', ms: 5000 }],
    ['stops an expired sandbox', { hibernateAfter: at(9), sandboxExpiresAt: at(0) }, { do: 'stop' }],
    ['continues an interrupted stop', { lifecycleState: 'hibernating' }, { do: 'stop' }],
  ])('%s', (_, change, step) => expect(findStep(change)).toEqual(step))

  describe('while a run is live', () => {
    it.each<[string, Partial<WatchedSession>, LifecycleStep]>([
      ['does not hibernate', { hibernateAfter: at(-9) }, wait(20)],
      ['checks again at the time at which it would be due without the run', {}, wait(4)],
      [
        'extends when less than five minutes remain',
        { sandboxExpiresAt: at(4.9) },
        { do: 'extend', expiresAt: at(24.9).getTime() },
      ],
      ['extends at five minutes', { sandboxExpiresAt: at(5) }, { do: 'extend', expiresAt: at(25).getTime() }],
      [
        'extends an overdue sandbox from now',
        { sandboxExpiresAt: at(-60) },
        { do: 'extend', expiresAt: at(20).getTime() },
      ],
      [
        'extends up to the hard maximum',
        { sandboxStartedAt: at(-290), sandboxExpiresAt: at(3) },
        { do: 'extend', expiresAt: at(10).getTime() },
      ],
      [
        'waits at the hard maximum',
        { sandboxStartedAt: at(-298), sandboxExpiresAt: at(2), hibernateAfter: at(-1) },
        wait(5),
      ],
      [
        'does not stop an expired sandbox at the hard maximum',
        { sandboxStartedAt: at(-301), sandboxExpiresAt: at(-1), hibernateAfter: at(-3) },
        wait(5),
      ],
    ])('%s', (_, change, step) => expect(findStep(change, true)).toEqual(step))
  })
})

it('hibernation is due at the idle time or at the buffer before the expiry, whichever is earlier', () => {
  expect(dueAt(session, times)).toBe(at(4).getTime())
  expect(dueAt({ ...session, sandboxExpiresAt: at(3) }, times)).toBe(at(3).getTime() - 10_000)
})

it('an extension adds twenty minutes, or as much as the maximum allows, and never shortens the time', () => {
  expect(extendedEnd(session, now, times)).toBe(at(45).getTime())
  expect(extendedEnd({ sandboxStartedAt: at(-270), sandboxExpiresAt: at(25) }, now, times)).toBe(at(30).getTime())
  expect(extendedEnd({ sandboxStartedAt: at(-275), sandboxExpiresAt: at(25) }, now, times)).toBe(at(25).getTime())
  expect(extendedEnd({ sandboxStartedAt: at(-400), sandboxExpiresAt: at(25) }, now, times)).toBe(at(25).getTime())
})

it('a session is overdue if its next step has been due for longer than the shortest sleep', () => {
  expect(overdue({})).toBe(false)
  expect(overdue({ hibernateAfter: at(0) })).toBe(false)
  expect(overdue({ hibernateAfter: at(-0.1) })).toBe(true)
  expect(overdue({ hibernateAfter: at(-0.1) }, true)).toBe(false)
  expect(overdue({ sandboxExpiresAt: at(4) }, true)).toBe(true)
  expect(overdue({ lifecycleState: 'hibernated', hibernateAfter: at(-1) })).toBe(false)
})

it('the watcher is woken only if its timer may end too late', () => {
  expect(needsWaking(session, now, times)).toBe(false)
  expect(needsWaking({ ...session, lifecycleRunId: null }, now, times)).toBe(true)
  expect(needsWaking({ ...session, lifecycleState: 'hibernating' }, now, times)).toBe(true)
  expect(needsWaking({ ...session, sandboxExpiresAt: at(4.9) }, now, times)).toBe(true)
  expect(needsWaking({ ...session, lifecycleState: 'archived', lifecycleRunId: null }, now, times)).toBe(false)
})
