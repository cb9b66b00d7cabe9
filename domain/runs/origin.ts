import { stricterApprovals, type Approvals } from '../chat/approvals.ts'

/** Limits of a turn: model calls, and milliseconds from its start. */
type Limits = { stepLimit: number; timeLimitMs: number }

/** Terms that work inherits if it was accepted with the key of a run. */
export type Inherited = {
  runId: string
  /** Approvals that apply in addition to those of the session. */
  approvals: Approvals | null
  /** Null for work that a person continues. */
  limits: {
    /** Remaining model calls of the run. */
    steps: number
    /** Latest end of the run in epoch milliseconds. */
    endsAt: number
  } | null
}

/**
 * Origin of accepted work. Stored work contains its inherited terms. A request signed with the key of a run names the run,
 * whose terms are read when the work is stored.
 */
export type Origin =
  | { source: 'web' | 'api'; inherited: Inherited | null }
  | { source: 'web' | 'api'; run: { id: string; limits: Limits } }

/** Returns the origin of a person's work, which inherits nothing. */
export function personOrigin(source: 'web' | 'api'): Origin {
  return { source, inherited: null }
}

/** Combines the terms of two runs: the approvals of both, and the limits of the first run that has limits. */
export function stricterInherited(first: Inherited | null, second: Inherited | null): Inherited | null {
  if (first === null || second === null) return first ?? second
  return {
    runId: first.runId,
    approvals: stricterApprovals(first.approvals, second.approvals),
    limits: first.limits ?? second.limits,
  }
}

/** Removes the limits, for work to which the limits of the run do not apply. */
export function withoutLimits(inherited: Inherited | null): Inherited | null {
  return inherited && { ...inherited, limits: null }
}

/** Returns the limits of a turn within its inherited limits. */
function limitsWithin({ stepLimit, timeLimitMs }: Limits, inherited: Inherited | null, now: number): Limits {
  const inheritedLimits = inherited?.limits ?? undefined
  if (inheritedLimits === undefined) return { stepLimit, timeLimitMs }
  const { steps, endsAt } = inheritedLimits
  return { stepLimit: Math.min(stepLimit, steps), timeLimitMs: Math.max(1, Math.min(timeLimitMs, endsAt - now)) }
}

/** Returns the remaining limits of a turn, whose time counts from its start. */
export function limitsFrom(
  { startedAt, inherited }: { startedAt: Date | null; inherited: Inherited | null },
  { stepLimit, runTimeLimitMs }: { stepLimit: number; runTimeLimitMs: number },
  now: number,
): Limits {
  const elapsedMs = startedAt === null ? 0 : now - startedAt.getTime()
  const timeLimitMs = Math.max(1, Math.min(runTimeLimitMs, runTimeLimitMs - elapsedMs))
  return limitsWithin({ stepLimit, timeLimitMs }, inherited, now)
}
