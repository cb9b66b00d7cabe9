import { Context } from '@temporalio/activity'
import { StaleWriter } from '../../db/log/writer.ts'
import type { Holder } from '../../db/turns/batch.ts'
import { finishToolCall } from '../../db/turns/steps/tool.ts'
import { finishSubCall, releaseSubCall, startSubCall } from '../../db/turns/sub-agents/call.ts'
import {
  findProgress,
  readSubAgent,
  releaseTask,
  takeTask,
  type SubAgentState,
  type TaskBatch,
  type TaskCall,
} from '../../db/turns/sub-agents/state.ts'
import { countSubFailure, type SubAttempt } from '../../db/turns/sub-agents/step.ts'
import { readRun } from '../../db/runs/runs.ts'
import { maxFailures, type SubAdvanced } from '../../domain/chat/turns.ts'
import type { ActivityDeps } from '../deps.ts'
import { sleep } from '../runtime/sleep.ts'
import type { Batch } from './batches.ts'
import { failureWeight, maxPauseMs, pauseBeforeRetry, requestedWaitMs } from './model-call.ts'
import { createSubModelCall } from './sub-model-call.ts'
import { finalMessages } from './sub-agent-output.ts'
import { createToolCalls } from './tool-calls.ts'
import { takenOver } from './working.ts'

const maxSteps = 30

const modelFailed = { success: false, error: 'The model call of the sub-agent failed' }

/**
 * Advances the sub-agent of one `task` call by as many steps as fit into one batch, as a turn is advanced: model call,
 * tools, and in the end the output of the call. A model that fails is an answer for the parent, not the end of the turn.
 */
export function createSubAgentLoop(deps: ActivityDeps) {
  const { db, lock, log, notifier } = deps
  const callModel = createSubModelCall(deps)
  const executeCalls = createToolCalls(deps, {
    start: async (attempt) => {
      const claim = await db.begin((tx) => startSubCall(tx, attempt))
      notifier.wake(attempt.runId)
      return claim
    },
    release: (attempt) => releaseSubCall(db, attempt),
    store: (result) => db.begin((tx) => finishSubCall(tx, result)),
  })

  /** The output: what the sub-agent said and did, also when it has used up its steps. */
  const end = async (task: TaskCall, state: SubAgentState, failed = false): Promise<SubAdvanced> => {
    const progress = await findProgress(db, task)
    const output = failed || progress === undefined ? modelFailed : { final: finalMessages(state.parts), ...progress }
    await db.begin((tx) => finishToolCall(tx, { ...task, output }))
    notifier.wake(task.runId)
    return { next: 'nothing' }
  }

  /** The pause after a failed call; undefined when the model has failed for good. `tried`: calls in a row that failed here. */
  const pauseAfter = async (own: SubAttempt, error: unknown, tried: number): Promise<number | undefined> => {
    log.warn({ ...own, err: error }, 'model call of a sub-agent failed')
    const failures = Math.max(tried, (await countSubFailure(db, own)) ?? 0)
    if (failureWeight(error) >= maxFailures || failures >= maxFailures) return undefined
    return pauseBeforeRetry(failures, requestedWaitMs(error))
  }

  const advance = async (own: TaskBatch & Holder, batch: Batch): Promise<SubAdvanced> => {
    const { signal } = batch
    const { sessionId } = await readRun(db, own.runId)
    for (let tried = 0; ;) {
      const state = await readSubAgent(db, own)
      const { last, open, ended } = state
      if (ended || !open) return { next: 'nothing' }
      const openCalls = last?.openCalls ?? []
      const step = last === undefined ? 0 : last.step + 1
      batch.position = { step }
      if (openCalls.length > 0) {
        const onRunning = (tools: string[]): void => void (batch.position = { step: step - 1, tools })
        await executeCalls(openCalls, { ...own, sessionId, signal, onRunning })
      } else if (last?.goesOn === false || step >= maxSteps) return end(own, state)
      else if (state.failures >= maxFailures) return end(own, state, true)
      else {
        const attempt = { ...own, step, attempt: state.attempts + 1 }
        try {
          await callModel(attempt, state, batch)
          tried = 0
        } catch (error) {
          signal.throwIfAborted()
          if (error instanceof StaleWriter) throw error
          const ms = await pauseAfter(attempt, error, ++tried)
          if (ms === undefined) return end(own, state, true)
          if (ms > maxPauseMs) return { next: 'pause', ms }
          await sleep(ms, signal)
        }
      }
      if (batch.isSpent()) return { next: 'advance' }
    }
  }

  return (task: TaskCall) => {
    const holder = { holder: lock.processId, activityId: Context.current().info.activityId }
    return async (batch: Batch): Promise<SubAdvanced> => {
      const taken = await takeTask(db, { ...task, ...holder })
      if (taken === undefined) return { next: 'nothing' }
      const own = { ...task, ...holder, batch: taken }
      try {
        return await advance(own, batch)
      } catch (error) {
        if (!(error instanceof StaleWriter) || batch.isLeaving()) throw error
        const { open, ended } = await readSubAgent(db, own)
        if (ended || !open) return { next: 'nothing' }
        throw takenOver()
      } finally {
        await releaseTask(db, own)
      }
    }
  }
}
