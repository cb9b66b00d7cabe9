import { finishSubCall, readSubCall, releaseSubCall, startSubCall } from '../../db/turns/sub-agents/call.ts'
import { findProgress, readSubAgent, type TaskCall } from '../../db/turns/sub-agents/state.ts'
import { finishToolCall } from '../../db/turns/steps/tool.ts'
import type { ActivityDeps } from '../deps.ts'
import { onOpenLog } from './closed.ts'
import { finalMessages } from './sub-agent-output.ts'
import { createSubModelStep } from './sub-model-step.ts'
import { createCallActivities } from './tool-call.ts'

type SubCall = { runId: string; callId: string }

const modelFailed = { success: false, error: 'The model call of the sub-agent failed' }

export function createSubAgentActivities(deps: ActivityDeps) {
  const { db, notifier } = deps
  const calls = createCallActivities(deps, {
    read: (ids) => readSubCall(db, ids),
    start: async (started) => {
      const claim = await db.begin((tx) => startSubCall(tx, started))
      notifier.wake(started.runId)
      return claim
    },
    release: (started) => releaseSubCall(db, started),
    store: (ids, output) => db.begin((tx) => finishSubCall(tx, { ...ids, output })),
  })

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
    executeSubTool: ({ callId, ...call }: SubCall & { restart?: number }): Promise<void> =>
      calls.execute({ ...call, toolCallId: callId }),

    /** Gives a call that could not be run an answer. Safe to run again: a stored result is kept. */
    failSubTool: ({ runId, callId }: SubCall): Promise<void> => calls.giveUp({ runId, toolCallId: callId }),

    /**
     * The output of a `task` call: what the sub-agent said and did, also when it has used up its steps; a model that
     * failed is a failure of the call. Safe to run again: a stored output is kept.
     */
    endSubAgent: async ({ failed = false, ...task }: TaskCall & { failed?: boolean }): Promise<void> =>
      onOpenLog(async () => {
        const output = await outputOf(task, failed)
        if (output === undefined) return
        await db.begin((tx) => finishToolCall(tx, { ...task, output }))
        notifier.wake(task.runId)
      }),
  }
}
