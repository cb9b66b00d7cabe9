import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity'
import { countFailure } from '../../db/log/attempts.ts'
import { advanceRun, readRun } from '../../db/runs/runs.ts'
import { readTurnState } from '../../db/turns/context.ts'
import { limitsFrom } from '../../domain/runs/origin.ts'
import { maxFailures, type TurnAction, type SubAgentAction, type TurnEnd } from '../../domain/chat/turns.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { isRepositoryDenied } from '../repositories/access.ts'
import { provisionSession } from '../sandboxes/session.ts'
import { createSubAgentLoop } from './sub-agent-loop.ts'
import { createTurnEnding } from './turn-ending.ts'
import { createTurnLoop } from './turn-loop.ts'
import { isHandedOver, withWorkerLock, type TurnDeps } from './working.ts'
import type { Batches } from './batches.ts'

export type TurnActivityDeps = TurnDeps & {
  /** The batches of turns that this process runs. */
  batches: Pick<Batches, 'join' | 'follow' | 'endedAhead'>
}

/** Step number under which failures before step 0 are counted. */
const preparationStep = -1

/** `accountId`: the account for which the batch occupies a slot of this worker. */
type Work = { runId: string; accountId: string | undefined }

/**
 * `compacted`: the history has been summarized as far as possible. `besideSubAgents`: executes only
 * the tools of the newest step.
 */
type TurnToAdvance = Work & { compacted?: boolean; besideSubAgents?: boolean }

export function createTurnActivities(deps: TurnActivityDeps) {
  const { batches } = deps
  const advanceTurn = createTurnLoop(deps, batches)
  const advanceSubAgent = createSubAgentLoop(deps)
  const { finalize } = createTurnEnding(deps)

  return {
    /**
     * Moves a run from queued to running; its time limit counts from the first such transition. Safe to run again: the
     * state of the run guards the update.
     */
    beginTurn: ({ runId }: { runId: string }) =>
      withHeartbeat(async () => {
        await advanceRun(deps.db, runId)
        const run = await readRun(deps.db, runId)
        const { timeLimitMs } = limitsFrom(run, deps.settings, Date.now())
        return { headless: run.headless, timeLimitMs }
      }),

    /**
     * Prepares the repository and sandbox of a headless run, unless the run has ended or a stop was recorded. Safe to
     * run again: both are found by name. Only failures of the preparation itself count, not lost workers.
     */
    provisionTurn: async ({ runId }: { runId: string }): Promise<void> => {
      if (!(await advanceRun(deps.db, runId))) return
      const { sessionId } = await readRun(deps.db, runId)
      try {
        await withWorkerLock(deps, runId, () => provisionSession(deps, sessionId))
      } catch (error) {
        if (error instanceof CancelledFailure || isHandedOver(error) || isRepositoryDenied(error)) throw error
        deps.log.error({ runId, err: error }, 'failed to prepare the sandbox of a headless run')
        const failures = await countFailure(deps.db, runId, preparationStep)
        throw ApplicationFailure.create({
          type: 'SandboxFailed',
          message: 'the sandbox could not be started',
          nonRetryable: failures >= maxFailures,
        })
      }
    },

    /**
     * Runs a batch of steps of a turn. Safe to run again: finished steps are read from the store, and the batch number
     * allows only one process to write the turn. A batch that this process already runs is joined.
     */
    advanceTurn: ({ runId, accountId, ...options }: TurnToAdvance): Promise<TurnAction> => {
      const { activityId, attempt } = Context.current().info
      const batchOptions = { ...options, activityId, claim: attempt === 1 ? 'free' : 'any' } as const
      const onJoined = () => advanceRun(deps.db, runId)
      return batches.join(
        { key: runId, runId, accountId },
        (batch) => advanceTurn(runId, batch, batchOptions),
        onJoined,
      )
    },

    /**
     * Local activity. Returns the outcome of a turn that a head start of this process has ended, or null. Reads only memory.
     * Safe to run again: when the outcome is no longer in memory, `advanceTurn` reads it from the store.
     */
    endedAhead: async ({ runId }: { runId: string }): Promise<TurnAction | null> => batches.endedAhead(runId) ?? null,

    /** Runs a batch of steps of the sub-agent of one `task` call. Safe to run again, like `advanceTurn`. */
    advanceSubAgent: ({ runId, accountId, toolCallId }: Work & { toolCallId: string }): Promise<SubAgentAction> =>
      batches.join({ key: `${runId} ${toolCallId}`, runId, accountId }, advanceSubAgent({ runId, toolCallId })),

    /**
     * Ends the run in any state. Returns true if the turn may have changed files, and with them the diff of its session.
     * Safe to run again: an ended run does not change.
     */
    finalizeTurn: ({ runId, end }: { runId: string; end: TurnEnd }): Promise<boolean> =>
      withHeartbeat(async () => {
        await finalize(runId, end, Context.current().info.attempt > 1)
        return (await readTurnState(deps.db, runId)).mayHaveChanges
      }),
  }
}
