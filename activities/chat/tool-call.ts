import { ApplicationFailure, Context } from '@temporalio/activity'
import { recheckIfSlow } from '../../db/postgres/retry.ts'
import {
  finishToolCall,
  readToolCall,
  releaseToolCall,
  startToolCall,
  type StartedToolCall,
  type ToolCall,
} from '../../db/turns/steps/tool.ts'
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
export function givenUp({ startedAt, toolName, input }: ToolCall): object {
  if (startedAt === null) return notStarted
  return runsAtMostOnce(toolName, input) ? outcomeUnknown : failedEveryAttempt
}

type CallIds = { runId: string; toolCallId: string }

/** One kind of calls: how they are read, claim that they are about to have effects, give that up, and keep their output. */
type Calls = {
  read(ids: CallIds): Promise<ToolCall>
  start(started: StartedToolCall): Promise<{ first: boolean }>
  release(started: StartedToolCall): Promise<void>
  store(ids: CallIds, output: unknown): Promise<void>
}

/** A call that failed by itself so often is given up. Workers that are lost or leave cost no failure. */
const maxFailures = 3

/** `forget` drops the receipt in the sandbox, once the output is stored. */
type Executed = { output: unknown; forget?: () => Promise<void> }
type Prepared = Awaited<ReturnType<typeof openSessionSandbox>> | undefined

/** The activities of one kind of calls. `execute` is safe to run again: a stored result is kept, and see `createExecution`. */
export function createCallActivities(deps: ActivityDeps, calls: Calls) {
  const run = createExecution(deps, calls)
  const store = (ids: CallIds, output: unknown): Promise<void> => calls.store(ids, storableJson(output))

  return {
    execute: ({ restart = 0, ...ids }: CallIds & { restart?: number }): Promise<void> =>
      onOpenLog(() =>
        withWorkerLock(deps, ids.runId, async (signal) => {
          const call = await calls.read(ids)
          if (call.endedAt !== null) return
          const { output, forget } = await run(call, restart, signal)
          await store(ids, output)
          // What cannot be dropped now goes with the sandbox.
          await forget?.().catch(() => {})
        }),
      ),

    giveUp: (ids: CallIds): Promise<void> =>
      withHeartbeat(() => onOpenLog(async () => store(ids, givenUp(await calls.read(ids))))),
  }
}

export function createToolActivities(deps: ActivityDeps) {
  const calls = createCallActivities(deps, {
    read: (ids) => readToolCall(deps.db, ids.runId, ids.toolCallId),
    start: (started) => startToolCall(deps.db, started),
    release: (started) => releaseToolCall(deps.db, started),
    store: async (ids, output) => {
      await deps.db.begin((tx) => finishToolCall(tx, { ...ids, output }))
      deps.notifier.wake(ids.runId)
    },
  })
  return {
    /**
     * One tool call of a step. Safe to run again: a stored result is kept, and a call that may have had effects is
     * answered from its receipt instead of being run twice.
     */
    executeTool: (call: CallIds & { restart?: number }): Promise<void> => calls.execute(call),

    /** Gives a call that could not be run an answer. Safe to run again: a stored result is kept. */
    failTool: (ids: CallIds): Promise<void> => calls.giveUp(ids),
  }
}

/** Runs a call at most once where that matters: see `executeTool`. */
function createExecution(deps: ActivityDeps, calls: Pick<Calls, 'start' | 'release'>) {
  /** The sandbox, before the call begins: one that cannot be opened leaves it undone. */
  const prepare = async (call: ToolCall): Promise<Prepared> =>
    runsWithoutSandbox(call.toolName) ? undefined : openSessionSandbox(deps, call.sessionId)

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
    const skills = () => listRunSkills(deps.db, runId)
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
      prepared = await prepare(call)
    } catch (error) {
      return denied(error)
    }
    // No tool begins before its receipt is stored: a stop that was acknowledged refuses it.
    const { first } = await recheckIfSlow(() => calls.start(ids))
    try {
      return await run(call, prepared, first, signal)
    } catch (error) {
      await calls.release(ids)
      if (tried < maxFailures || signal.aborted) throw error
      deps.log.warn({ runId, toolCallId, toolName, err: error }, 'a tool call failed for good')
      throw ApplicationFailure.nonRetryable(`${toolName} failed`, 'ToolFailed')
    }
  }
}
