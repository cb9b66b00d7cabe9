import { ApplicationFailure, Context } from '@temporalio/activity'
import type { Pool } from '../../db/postgres/client.ts'
import { recheckIfSlow, retryWhileDatabaseDown } from '../../db/postgres/retry.ts'
import { finishToolCall, readToolCall, releaseToolCall, startToolCall } from '../../db/turns/tool.ts'
import type { StartedToolCall, ToolCall } from '../../db/turns/tool.ts'
import { listRunSkills } from '../../db/turns/skills.ts'
import { storableJson } from '../../domain/fields/storable.ts'
import { runsAtMostOnce } from '../../domain/tools/tools.ts'
import { attemptNumber } from '../../domain/chat/turns.ts'
import type { ActivityDeps } from '../deps.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { networkOf, runKeyHeadersOf } from '../sandboxes/network.ts'
import { isRepositoryDenied, repositoryDenied } from '../repositories/access.ts'
import { openSessionSandbox } from '../sandboxes/session.ts'
import { recallTool, runOutside, runsWithoutSandbox, runTool } from '../tools/index.ts'
import { onOpenLog } from './closed.ts'
import { withWorkerLock } from './working.ts'

const outcomeUnknown = { success: false, error: 'interrupted, outcome unknown' }
const notStarted = { success: false, error: 'not started: the sandbox could not be reached; nothing was done' }
const failedEveryAttempt = { success: false, error: 'failed at every attempt' }

/** What the model is told of a call that is given up: what nobody knows is said of calls only that began. */
export const givenUp = ({ startedAt, toolName, input }: ToolCall): object => {
  if (startedAt === null) return notStarted
  return runsAtMostOnce(toolName, input) ? outcomeUnknown : failedEveryAttempt
}

type CallIds = { runId: string; toolCallId: string }

/** How a call claims that it is about to have effects, and gives that up. */
type Claims = {
  start(db: Pool, started: StartedToolCall): Promise<{ first: boolean }>
  release(db: Pool, started: StartedToolCall): Promise<void>
}

/** A call that failed by itself so often is given up. Workers that are lost or leave cost no failure. */
const maxFailures = 3

/** `forget` drops the receipt in the sandbox, once the output is stored. */
type Executed = { output: unknown; forget?: () => Promise<void> }
type Prepared = Awaited<ReturnType<typeof openSessionSandbox>> | undefined

/** Runs a call at most once where that matters: see `executeTool`. */
export const createExecution = (deps: ActivityDeps, claims: Claims) => {
  /** The sandbox, before the call begins: one that cannot be opened leaves it undone. */
  const prepare = async (call: ToolCall, signal: AbortSignal): Promise<Prepared> =>
    runsWithoutSandbox(call.toolName)
      ? undefined
      : retryWhileDatabaseDown(() => openSessionSandbox(deps, call.sessionId), signal)

  const run = async (call: ToolCall, prepared: Prepared, first: boolean, signal: AbortSignal): Promise<Executed> => {
    const { runId, toolCallId, toolName, input } = call
    const once = runsAtMostOnce(toolName, input)
    if (prepared === undefined) {
      // Its result is the stored one: what an earlier attempt did and could not store, nobody knows.
      if (!first && once) return { output: outcomeUnknown }
      const { egress, platform } = deps
      const platformHeaders = runKeyHeadersOf(deps, runId)
      const ctx = { signal, runId, toolCallId, egress, platformHeaders, baseUrl: platform.baseUrl }
      return { output: await runOutside(toolName, input, ctx) }
    }
    const { sandbox, environment } = prepared
    const receipt = `${runId}-${toolCallId}`
    const forget = toolName === 'bash' ? { forget: () => sandbox.dropReceipt(receipt) } : {}
    if (!first && once) return { output: (await recallTool(toolName, sandbox, receipt)) ?? outcomeUnknown, ...forget }
    const skills = () => retryWhileDatabaseDown(() => listRunSkills(deps.db, runId), signal)
    const network = networkOf(deps, runId)
    const ctx = { signal, receipt, environment, network, skills }
    return { output: await runTool(toolName, sandbox, input, ctx), ...forget }
  }

  return async (call: ToolCall, restart: number, signal: AbortSignal): Promise<Executed> => {
    const { activityId, attempt: tried } = Context.current().info
    const { runId, toolCallId, toolName, input } = call
    const ids = { runId, toolCallId, holder: deps.lock.processId, activityId, attempt: attemptNumber(restart, tried) }
    const denied = (error: unknown): Executed => {
      if (!isRepositoryDenied(error)) throw error
      const isUnknown = call.startedAt !== null && runsAtMostOnce(toolName, input)
      return { output: isUnknown ? outcomeUnknown : { success: false, error: repositoryDenied } }
    }
    let prepared: Prepared
    try {
      prepared = await prepare(call, signal)
    } catch (error) {
      return denied(error)
    }
    // No tool begins before its receipt is stored: a stop that was acknowledged refuses it.
    const ask = () => retryWhileDatabaseDown(() => claims.start(deps.db, ids), signal)
    const { first } = await recheckIfSlow(ask)
    try {
      return await run(call, prepared, first, signal)
    } catch (error) {
      await retryWhileDatabaseDown(() => claims.release(deps.db, ids))
      if (tried < maxFailures || signal.aborted) throw error
      deps.log.warn({ runId, toolCallId, toolName, err: error }, 'a tool call failed for good')
      throw ApplicationFailure.nonRetryable(`${toolName} failed`, 'ToolFailed')
    }
  }
}

/** Stores an output; the receipt in the sandbox has done its work then. What cannot be dropped now goes with the sandbox. */
export const storeExecuted = async (
  { output, forget }: Executed,
  store: (output: unknown) => Promise<void>,
): Promise<void> => {
  await store(output)
  await forget?.().catch(() => {})
}

export const createToolActivities = (deps: ActivityDeps) => {
  const execute = createExecution(deps, { start: startToolCall, release: releaseToolCall })
  const read = (ids: CallIds) => readToolCall(deps.db, ids.runId, ids.toolCallId)
  const store = async (ids: CallIds, output: unknown): Promise<void> => {
    const result = { ...ids, output: storableJson(output) }
    await retryWhileDatabaseDown(() => deps.db.begin((tx) => finishToolCall(tx, result)))
    deps.notifier.wake(ids.runId)
  }

  return {
    /**
     * One tool call of a step. Safe to run again: a stored result is kept, and a call that may have had effects is
     * answered from its receipt instead of being run twice.
     */
    executeTool: async ({ runId, toolCallId, restart = 0 }: CallIds & { restart?: number }): Promise<void> => {
      const work = async (signal: AbortSignal): Promise<void> => {
        const ids = { runId, toolCallId }
        const call = await retryWhileDatabaseDown(() => read(ids), signal)
        if (call.endedAt !== null) return
        await storeExecuted(await execute(call, restart, signal), (output) => store(ids, output))
      }
      await onOpenLog(() => withWorkerLock(deps, runId, work))
    },

    /** Gives a call that could not be run an answer. Safe to run again: a stored result is kept. */
    failTool: (ids: CallIds): Promise<void> =>
      withHeartbeat(() => onOpenLog(async () => store(ids, givenUp(await retryWhileDatabaseDown(() => read(ids)))))),
  }
}
