import { isContentFault } from '../../db/postgres/failures.ts'
import { recheckIfSlow } from '../../db/postgres/retry.ts'
import { StaleWriter } from '../../db/log/writer.ts'
import type { Holder } from '../../db/turns/batch.ts'
import { listRunSkills } from '../../db/turns/skills.ts'
import type { CallAttempt } from '../../db/turns/steps/tool.ts'
import { maxFailures, type OpenCall } from '../../domain/chat/turns.ts'
import { storableJson } from '../../domain/fields/storable.ts'
import { runsAtMostOnce } from '../../domain/tools/tools.ts'
import type { ActivityDeps } from '../deps.ts'
import { sleep } from '../runtime/sleep.ts'
import { within } from '../runtime/within.ts'
import { createRunNetwork, createRunKeyHeaders } from '../sandboxes/network.ts'
import { isRepositoryDenied, repositoryDenied } from '../repositories/access.ts'
import { openSessionSandbox } from '../sandboxes/session.ts'
import { recallTool, runOutside, runsWithoutSandbox, runTool } from '../tools/index.ts'
import { startClock } from '../runtime/clock.ts'

const outcomeUnknown = { success: false, error: 'interrupted, outcome unknown' }
const notStarted = { success: false, error: 'not started: the sandbox could not be reached; nothing was done' }
const failedEveryAttempt = { success: false, error: 'failed at every attempt' }

/** Output of a call that is given up. The outcome is unknown only if the call has started. */
export function givenUp({ attempts, toolName, input }: Omit<OpenCall, 'toolCallId'>): object {
  if (attempts === 0) return notStarted
  return runsAtMostOnce(toolName, input) ? outcomeUnknown : failedEveryAttempt
}

/** Storage of tool calls: of a turn, or of a sub-agent. */
export type CallRows = {
  start(attempt: CallAttempt): Promise<{ first: boolean }>
  release(attempt: CallAttempt): Promise<void>
  store(ids: { runId: string; toolCallId: string; output: unknown }): Promise<void>
}

/** The run that owns the calls, and the signals that end them. */
export type CallContext = Holder & {
  runId: string
  sessionId: string
  batch: number
  signal: AbortSignal
  /** Called with the names of the running tools whenever they change. */
  onRunning: (tools: string[]) => void
}

/** Maximum number of calls of one step that run at the same time. */
const maxAtOnce = 16
/** Time limit of one attempt at a call. Tools have shorter limits of their own. */
const callMs = 130_000
/** Attempts at a call whose sandbox cannot be opened: a few minutes in total. */
const maxTries = 25

/** `forget` deletes the receipt in the sandbox once the output is stored. */
type Executed = { output: unknown; forget?: () => Promise<void> }
type Prepared = Awaited<ReturnType<typeof openSessionSandbox>> | undefined

/**
 * Executes the open calls of a step concurrently and returns their outputs. Safe to run again: a call that may have had
 * effects is not repeated; its receipt provides the output. A call that fails three times is given up with an output
 * that reports it; lost workers and shutdowns do not count as failures. Rejects only when the signal aborts, or with
 * `StaleWriter`.
 */
export function createToolCalls(deps: ActivityDeps, rows: CallRows) {
  const attempt = createAttempt(deps, rows)

  const executeWithRetries = async (call: OpenCall, ctx: CallContext): Promise<Executed> => {
    for (let tried = 1, attempts = call.attempts; ; tried++) {
      const clock = startClock(callMs, 'the tool call took too long')
      const signal = AbortSignal.any([ctx.signal, clock.signal])
      try {
        return await within(clock.signal, () => attempt({ ...call, attempts }, { ...ctx, signal }, () => attempts++))
      } catch (error) {
        ctx.signal.throwIfAborted()
        if (error instanceof StaleWriter) throw error
        const { runId } = ctx
        const { toolCallId, toolName } = call
        deps.log.warn({ runId, toolCallId, toolName, tried, err: error }, 'a tool call failed')
        if (attempts >= maxFailures || tried === maxTries) return { output: givenUp({ ...call, attempts }) }
        await sleep(Math.min(200 * 2 ** (tried - 1), 5000), ctx.signal)
      } finally {
        clock.stop()
      }
    }
  }

  /** Stores an output. An output that the store rejects is replaced by a failure notice. */
  const store = async (result: Parameters<CallRows['store']>[0], call: OpenCall): Promise<unknown> => {
    try {
      await rows.store(result)
      return result.output
    } catch (error) {
      if (!isContentFault(error)) throw error
      const output = givenUp({ ...call, attempts: call.attempts + 1 })
      await rows.store({ ...result, output })
      return output
    }
  }

  const execute = async (call: OpenCall, ctx: CallContext): Promise<unknown> => {
    const { output, forget } = await executeWithRetries(call, ctx)
    const stored = await store({ runId: ctx.runId, toolCallId: call.toolCallId, output: storableJson(output) }, call)
    // A receipt that cannot be deleted now is deleted with the sandbox.
    forget?.().catch(() => {})
    return stored
  }

  return async (calls: readonly OpenCall[], ctx: CallContext): Promise<{ toolCallId: string; output: unknown }[]> => {
    const outputs: { toolCallId: string; output: unknown }[] = []
    const running = new Set<OpenCall>()
    const left = calls.values()
    const failed = new AbortController()
    const signal = AbortSignal.any([ctx.signal, failed.signal])
    const report = (): void => ctx.onRunning([...running].map(({ toolName }) => toolName))
    const worker = async (): Promise<void> => {
      for (const call of left) {
        signal.throwIfAborted()
        running.add(call)
        report()
        const { toolCallId } = call
        outputs.push({ toolCallId, output: await execute(call, { ...ctx, signal }) })
        running.delete(call)
        report()
      }
    }
    const workers = Array.from({ length: Math.min(maxAtOnce, calls.length) }, () =>
      worker().catch((error: unknown) => {
        failed.abort(error)
        throw error
      }),
    )
    await Promise.allSettled(workers)
    await Promise.all(workers)
    return outputs
  }
}

/** One attempt at a call, at most once for tools with effects. `onBegun` is called once its receipt is stored. */
function createAttempt(deps: ActivityDeps, rows: CallRows) {
  /** Opens the sandbox before the call starts, so that a sandbox failure leaves the call untried. */
  const prepare = async (toolName: string, sessionId: string): Promise<Prepared> =>
    runsWithoutSandbox(toolName) ? undefined : openSessionSandbox(deps, sessionId)

  const run = async (call: OpenCall, ctx: CallContext, prepared: Prepared, first: boolean): Promise<Executed> => {
    const { toolCallId, toolName, input } = call
    const { runId, signal } = ctx
    const once = runsAtMostOnce(toolName, input)
    if (prepared === undefined) {
      // Only the stored result counts: the effect of an earlier attempt that could not store its result is unknown.
      if (!first && once) return { output: outcomeUnknown }
      const { egress, platform } = deps
      const platformHeaders = createRunKeyHeaders(deps, runId)
      const outside = { signal, runId, toolCallId, egress, platformHeaders, baseUrl: platform.baseUrl }
      return { output: await runOutside(toolName, input, outside) }
    }
    const { sandbox, environment } = prepared
    const receipt = `${runId}-${toolCallId}`
    const forget = toolName === 'bash' ? { forget: () => sandbox.dropReceipt(receipt) } : {}
    if (!first && once) return { output: (await recallTool(toolName, sandbox, receipt)) ?? outcomeUnknown, ...forget }
    const skills = () => listRunSkills(deps.db, runId)
    const inside = { signal, receipt, environment, network: createRunNetwork(deps, runId), skills }
    return { output: await runTool(toolName, sandbox, input, inside), ...forget }
  }

  return async (call: OpenCall, ctx: CallContext, onBegun: () => void): Promise<Executed> => {
    const { toolCallId, toolName, input, attempts } = call
    const { runId, holder, activityId, batch } = ctx
    const own: CallAttempt = { runId, toolCallId, holder, activityId, batch, attempt: attempts + 1 }
    let prepared: Prepared
    try {
      prepared = await prepare(toolName, ctx.sessionId)
    } catch (error) {
      if (!isRepositoryDenied(error)) throw error
      const isUnknown = attempts > 0 && runsAtMostOnce(toolName, input)
      return { output: isUnknown ? outcomeUnknown : { success: false, error: repositoryDenied } }
    }
    ctx.signal.throwIfAborted()
    // A tool starts only after its receipt is stored: an acknowledged stop refuses the receipt.
    const { first } = await recheckIfSlow(() => rows.start(own))
    onBegun()
    try {
      return await run(call, ctx, prepared, first)
    } catch (error) {
      await rows.release(own)
      throw error
    }
  }
}
