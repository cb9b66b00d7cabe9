import { Context } from '@temporalio/activity'
import { whenDatabaseIsBack } from '../../db/persist.ts'
import { readRun } from '../../db/runs.ts'
import type { Run } from '../../db/runs.ts'
import { finishToolCall, readToolCall, startToolCall } from '../../db/turns/tool.ts'
import type { ToolCall } from '../../db/turns/tool.ts'
import { storableJson } from '../../domain/storable.ts'
import { runsAtMostOnce } from '../../domain/tools.ts'
import type { ActivityDeps } from '../deps.ts'
import { openSessionSandbox } from '../sandbox.ts'
import { recallTool, runTool } from '../tools/index.ts'
import { onOpenLog } from './closed.ts'
import { whileWorking } from './working.ts'

const outcomeUnknown = { success: false, error: 'interrupted, outcome unknown' }

type CallIds = { runId: string; toolCallId: string }

export const createToolActivities = (deps: ActivityDeps) => {
  const execute = async (run: Run, call: ToolCall, signal: AbortSignal): Promise<unknown> => {
    const { activityId, attempt } = Context.current().info
    const holder = deps.lock.processId
    const ids = { runId: run.id, toolCallId: call.toolCallId, holder, activityId, attempt }
    const { first } = await whenDatabaseIsBack(() => deps.db.begin((tx) => startToolCall(tx, ids)), signal)
    const { sandbox, environment } = await whenDatabaseIsBack(() => openSessionSandbox(deps, run.sessionId), signal)
    const receipt = `${run.id}-${call.toolCallId}`
    if (!first && runsAtMostOnce(call.toolName))
      return (await recallTool(call.toolName, sandbox, receipt)) ?? outcomeUnknown
    return runTool(call.toolName, sandbox, call.input, { signal, receipt, environment })
  }

  const store = async (ids: CallIds, output: unknown): Promise<void> => {
    const result = { ...ids, output: storableJson(output) }
    await whenDatabaseIsBack(() => deps.db.begin((tx) => finishToolCall(tx, result)))
    deps.notifier.wake(ids.runId)
  }

  return {
    /**
     * One tool call of a step. Safe to run again: a stored result is kept, and a call that may have had effects is
     * answered from its receipt instead of being run twice.
     */
    executeTool: async ({ runId, toolCallId }: CallIds): Promise<void> => {
      const work = async (signal: AbortSignal): Promise<void> => {
        const call = await whenDatabaseIsBack(() => readToolCall(deps.db, runId, toolCallId), signal)
        if (call.endedAt !== null) return
        const run = await whenDatabaseIsBack(() => readRun(deps.db, runId), signal)
        await store({ runId, toolCallId }, await execute(run, call, signal))
      }
      await onOpenLog(() => whileWorking(deps, runId, work))
    },

    /** Gives a call that could not be run an answer. Safe to run again: a stored result is kept. */
    failTool: (ids: CallIds): Promise<void> => onOpenLog(() => store(ids, outcomeUnknown)),
  }
}
