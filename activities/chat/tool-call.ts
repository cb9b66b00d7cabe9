import { Context } from '@temporalio/activity'
import type { Pool } from '../../db/client.ts'
import { freshly, whenDatabaseIsBack } from '../../db/persist.ts'
import { finishToolCall, readToolCall, releaseToolCall, startToolCall } from '../../db/turns/tool.ts'
import type { StartedToolCall, ToolCall } from '../../db/turns/tool.ts'
import { listRunSkills } from '../../db/turns/skills.ts'
import { storableJson } from '../../domain/storable.ts'
import { runsAtMostOnce } from '../../domain/tools.ts'
import { attemptNumber } from '../../domain/turns.ts'
import type { ActivityDeps } from '../deps.ts'
import { whileBeating } from '../heartbeat.ts'
import { networkOf, runKeyHeadersOf } from '../network.ts'
import { isRepositoryDenied, repositoryDenied } from '../repository/access.ts'
import { openSessionSandbox } from '../sandbox.ts'
import { recallTool, runOutside, runsOutside, runTool } from '../tools/index.ts'
import { onOpenLog } from './closed.ts'
import { whileWorking } from './working.ts'

export const outcomeUnknown = { success: false, error: 'interrupted, outcome unknown' }

type CallIds = { runId: string; toolCallId: string }

/** How a call claims that it is about to have effects, and gives that up. */
type Claims = {
  start(db: Pool, started: StartedToolCall): Promise<{ first: boolean }>
  release(db: Pool, started: StartedToolCall): Promise<void>
}

/** Runs a call at most once where that matters: see `executeTool`. */
export const createExecution = (deps: ActivityDeps, claims: Claims) => {
  const execute = async (call: ToolCall, restart: number, signal: AbortSignal): Promise<unknown> => {
    const { activityId, attempt: tried } = Context.current().info
    const { runId, toolCallId, toolName, input } = call
    const once = runsAtMostOnce(toolName, input)
    const ids = { runId, toolCallId, holder: deps.lock.processId, activityId, attempt: attemptNumber(restart, tried) }
    const run = async (first: boolean): Promise<unknown> => {
      if (runsOutside(toolName)) {
        // Its result is the stored one: what an earlier attempt did and could not store, nobody knows.
        if (!first && once) return outcomeUnknown
        const { egress, platform } = deps
        const platformHeaders = runKeyHeadersOf(deps, runId)
        return runOutside(input, { signal, runId, toolCallId, egress, platformHeaders, baseUrl: platform.baseUrl })
      }
      const { sandbox, environment } = await whenDatabaseIsBack(() => openSessionSandbox(deps, call.sessionId), signal)
      const receipt = `${runId}-${toolCallId}`
      if (!first && once) return (await recallTool(toolName, sandbox, receipt)) ?? outcomeUnknown
      const skills = () => whenDatabaseIsBack(() => listRunSkills(deps.db, runId), signal)
      const network = networkOf(deps, runId)
      return runTool(toolName, sandbox, input, { signal, receipt, environment, network, skills })
    }
    // No tool begins before its receipt is stored: a stop that was acknowledged refuses it.
    const ask = () => whenDatabaseIsBack(() => claims.start(deps.db, ids), signal)
    const { first } = await freshly(ask)
    try {
      return await run(first)
    } catch (error) {
      if (isRepositoryDenied(error))
        return !first && once ? outcomeUnknown : { success: false, error: repositoryDenied }
      await whenDatabaseIsBack(() => claims.release(deps.db, ids))
      throw error
    }
  }

  return execute
}

export const createToolActivities = (deps: ActivityDeps) => {
  const execute = createExecution(deps, { start: startToolCall, release: releaseToolCall })
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
    executeTool: async ({ runId, toolCallId, restart = 0 }: CallIds & { restart?: number }): Promise<void> => {
      const work = async (signal: AbortSignal): Promise<void> => {
        const call = await whenDatabaseIsBack(() => readToolCall(deps.db, runId, toolCallId), signal)
        if (call.endedAt !== null) return
        await store({ runId, toolCallId }, await execute(call, restart, signal))
      }
      await onOpenLog(() => whileWorking(deps, runId, work))
    },

    /** Gives a call that could not be run an answer. Safe to run again: a stored result is kept. */
    failTool: (ids: CallIds): Promise<void> => whileBeating(() => onOpenLog(() => store(ids, outcomeUnknown))),
  }
}
