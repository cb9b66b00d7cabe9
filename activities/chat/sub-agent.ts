import { retryWhileDatabaseDown } from '../../db/postgres/retry.ts'
import { finishSubCall, readSubCall, releaseSubCall, startSubCall } from '../../db/turns/sub-agents/call.ts'
import { findProgress, readSubAgent } from '../../db/turns/sub-agents/state.ts'
import type { TaskCall } from '../../db/turns/sub-agents/state.ts'
import { finishToolCall } from '../../db/turns/tool.ts'
import { storableJson } from '../../domain/fields/storable.ts'
import type { ActivityDeps } from '../deps.ts'
import { onOpenLog } from './closed.ts'
import { finalMessages } from './sub-agent-output.ts'
import { createSubModelStep } from './sub-model-step.ts'
import { createExecution, givenUp, storeExecuted } from './tool-call.ts'
import { withWorkerLock } from './working.ts'

type SubCall = { runId: string; callId: string }

const modelFailed = { success: false, error: 'The model call of the sub-agent failed' }

export const createSubAgentActivities = (deps: ActivityDeps) => {
  const { db, notifier } = deps
  const execute = createExecution(deps, {
    start: async (db, started) => {
      const claim = await db.begin((tx) => startSubCall(tx, started))
      notifier.wake(started.runId)
      return claim
    },
    release: releaseSubCall,
  })

  const read = ({ runId, callId }: SubCall) => readSubCall(db, { runId, toolCallId: callId })

  const store = ({ runId, callId }: SubCall, output: unknown): Promise<void> => {
    const result = { runId, toolCallId: callId, output: storableJson(output) }
    return retryWhileDatabaseDown(() => db.begin((tx) => finishSubCall(tx, result)))
  }

  /** Undefined when the call has its output. */
  const outputOf = async (task: TaskCall, failed: boolean): Promise<unknown> => {
    const state = await readSubAgent(db, task)
    if (state.ended) return undefined
    const progress = await findProgress(db, task)
    return failed || progress === undefined ? modelFailed : { final: finalMessages(state.parts), ...progress }
  }

  return {
    subModelStep: createSubModelStep(deps),

    /** One tool call of a sub-agent's step. Safe to run again: see `executeTool`. */
    executeSubTool: async ({ runId, callId, restart = 0 }: SubCall & { restart?: number }): Promise<void> => {
      const work = async (signal: AbortSignal): Promise<void> => {
        const call = await retryWhileDatabaseDown(() => read({ runId, callId }), signal)
        if (call.endedAt !== null) return
        await storeExecuted(await execute(call, restart, signal), (output) => store({ runId, callId }, output))
      }
      await onOpenLog(() => withWorkerLock(deps, runId, work))
    },

    /** Gives a call that could not be run an answer. Safe to run again: a stored result is kept. */
    failSubTool: (call: SubCall): Promise<void> =>
      onOpenLog(async () => store(call, givenUp(await retryWhileDatabaseDown(() => read(call))))),

    /**
     * The output of a `task` call: what the sub-agent said and did, also when it has used up its steps; a model that
     * failed is a failure of the call. Safe to run again: a stored output is kept.
     */
    endSubAgent: async ({ failed = false, ...task }: TaskCall & { failed?: boolean }): Promise<void> =>
      onOpenLog(async () => {
        const output = await retryWhileDatabaseDown(() => outputOf(task, failed))
        if (output === undefined) return
        await retryWhileDatabaseDown(() => db.begin((tx) => finishToolCall(tx, { ...task, output })))
        notifier.wake(task.runId)
      }),
  }
}
