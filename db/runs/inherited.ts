import { stricterApprovals, type Approvals } from '../../domain/chat/approvals.ts'
import type { Inherited, Origin } from '../../domain/runs/origin.ts'
import type { Db } from '../postgres/client.ts'

type Row = {
  sessionApprovals: Approvals | null
  inherited: Inherited | null
  beganAt: Date
  stepsMade: number
}

/** Returns the approvals and limits that work of this origin inherits. Work of a deleted run inherits a limit of 0 steps. */
export async function findInherited(db: Db, origin: Origin): Promise<Inherited | null> {
  if (!('run' in origin)) return origin.inherited
  const { id: runId, limits } = origin.run
  const [run] = await db<Row[]>`
    select sessions.approvals as session_approvals, runs.inherited, coalesce(runs.started_at, runs.created_at) as began_at,
      (select coalesce(max(step) + 1, 0) from run_steps where run_id = runs.id) as steps_made
    from runs left join sessions on sessions.id = runs.session_id
    where runs.id = ${runId}`
  if (run === undefined) return { runId, approvals: null, limits: { steps: 0, endsAt: Date.now() } }
  const { sessionApprovals, inherited, beganAt, stepsMade } = run
  const ownLimits = { steps: limits.stepLimit, endsAt: beganAt.getTime() + limits.timeLimitMs }
  const { steps, endsAt } = inherited?.limits ?? ownLimits
  return {
    runId,
    approvals: stricterApprovals(sessionApprovals, inherited?.approvals ?? null),
    limits: {
      steps: Math.max(0, Math.min(ownLimits.steps, steps) - stepsMade),
      endsAt: Math.min(ownLimits.endsAt, endsAt),
    },
  }
}

/** Returns the approvals that work of this origin requires: the stricter of `own` and the inherited approvals. */
export async function findRequiredApprovals(db: Db, origin: Origin, own: Approvals | null): Promise<Approvals | null> {
  return stricterApprovals(own, (await findInherited(db, origin))?.approvals ?? null)
}

/** Converts inherited limits to the text of a jsonb column. */
export function inheritedJson(inherited: Inherited | null): string | null {
  return inherited === null ? null : JSON.stringify(inherited)
}
