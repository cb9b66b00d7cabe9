import { Context } from '@temporalio/activity'
import { countFailure } from '../../db/log/attempts.ts'
import { StaleWriter } from '../../db/log/writer.ts'
import { advanceRun } from '../../db/runs/runs.ts'
import { owesCommit } from '../../db/turns/commit.ts'
import { readTurnState } from '../../db/turns/context.ts'
import { joinTurn } from '../../db/turns/queue/steer.ts'
import { HeadStartAhead } from '../../db/turns/steps/step.ts'
import { findStepResult } from '../../db/turns/steps/step-end.ts'
import { attemptNumber, maxFailures, type StepResult } from '../../domain/chat/turns.ts'
import type { ActivityDeps } from '../deps.ts'
import { skillsOfRun } from '../skills/of-run.ts'
import { attemptModelCall, headStartFailed, modelFailed } from './model-call.ts'
import { createStepCall } from './step-call.ts'
import { isLeaving } from './working.ts'

type StepIds = { runId: string; step: number; restart?: number; compacts?: boolean }

/**
 * One model call of a turn. Safe to run again: a step whose end is stored is answered from the store, frames that an
 * abandoned attempt left are retracted, and the fence refuses every append of an attempt that was replaced. A head start
 * that is at work is joined. Messages that steer the turn join it first, once.
 */
export function createModelStep(deps: ActivityDeps) {
  const { db, notifier, headStarts } = deps
  const callModel = createStepCall(deps)

  const work = async ({ runId, step, restart = 0, compacts = false }: StepIds, signal: AbortSignal) => {
    const { activityId, attempt: tried, startToCloseTimeoutMs: callMs } = Context.current().info
    const attempt = attemptNumber(restart, tried)
    const mayJoin = step === 0 && attempt === 1
    const joined = mayJoin ? await headStarts.join(runId, signal) : undefined
    if (joined !== undefined) return joined
    let state = await readTurnState(db, runId, step)
    if (state.steered) {
      await db.begin((tx) => joinTurn(tx, { runId, step, attempt }))
      notifier.wake(runId)
      state = await readTurnState(db, runId, step)
    }
    if (state.result !== undefined) {
      // A turn that goes on with approved calls has its first step from those who accepted it, and one that is quick from
      // its head start.
      if (state.run.status === 'queued') await advanceRun(db, runId)
      return state.result
    }
    if (!state.open) throw new StaleWriter('the log is closed')
    if (state.failures >= maxFailures) throw modelFailed(undefined, state.failures, state.fault)
    if (mayJoin && state.failedHeadStart !== undefined) throw headStartFailed(state.failedHeadStart, state.failures)
    const skills = state.skills ?? (await skillsOfRun(deps, state.run, signal))
    return callModel({ step, attempt, activityId, compacts, callMs, signal, isLeaving }, state, skills)
  }

  const take = (ids: StepIds): Promise<StepResult> =>
    attemptModelCall(deps, ids.runId, {
      work: async (signal) => {
        const leave = headStarts.arrive(ids.runId)
        try {
          for (;;) {
            try {
              return await work(ids, signal)
            } catch (error) {
              if (!(error instanceof HeadStartAhead)) throw error
              await headStarts.awaitOther(ids.runId, signal)
            }
          }
        } finally {
          leave()
        }
      },
      findStored: () => findStepResult(db, ids.runId, ids.step),
      countFailure: () => countFailure(db, ids.runId, ids.step),
    })

  return async (ids: StepIds): Promise<StepResult> => {
    const result = await take(ids)
    const usedNoTool = ids.step === 0 && result.finishReason !== 'tool-calls'
    const owes = usedNoTool && (await owesCommit(db, ids.runId))
    return owes ? { ...result, owesCommit: true } : result
  }
}
