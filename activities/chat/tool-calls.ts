import { isContentFault } from '../../db/postgres/failures.ts'
import { recheckIfSlow } from '../../db/postgres/retry.ts'
import { StaleWriterError } from '../../db/log/writer.ts'
import type { Holder } from '../../db/turns/take-turn.ts'
import { listRunSkills } from '../../db/turns/skills.ts'
import type { CallAttempt } from '../../db/turns/steps/tool.ts'
import { maxFailures, type OpenCall } from '../../domain/chat/turns.ts'
import { storableJson } from '../../domain/fields/storable.ts'
import type { ActivityDeps } from '../deps.ts'
import { sleep } from '../runtime/sleep.ts'
import { within } from '../runtime/within.ts'
import { createRunNetwork, createRunKeyHeaders } from '../sandboxes/network.ts'
import { isRepositoryDenied, repositoryDenied } from '../repositories/access.ts'
import { openSessionSandbox } from '../sandboxes/session.ts'
import type { Tool } from '../tools/define.ts'
import { findTool, runsAtMostOnce } from '../tools/index.ts'
import { startClock } from '../runtime/clock.ts'

const outcomeUnknown = { success: false, error: 'interrupted, outcome unknown' }
const notStarted = { success: false, error: 'not started: the sandbox could not be reached; nothing was done' }
/** The tool belongs to a newer build, or the turn handles its calls itself. */
const notExecutable = { success: false, error: 'this worker cannot run the tool; nothing was done' }
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
const maxConcurrent = 16
/** Time limit of one attempt at a call. Tools have shorter limits of their own. */
const callMs = 130_000
/** Attempts at a call whose sandbox cannot be opened: a few minutes in total. */
const maxTries = 25

/** `forget` deletes the receipt in the sandbox once the output is stored. */
type Executed = { output: unknown; forget?: () => Promise<void> }
/** Executes a prepared call. `mayRun` is false when an earlier attempt may have had effects that must not repeat. */
type Execute = (mayRun: boolean) => Promise<Executed>
type ToolIn<Place extends Tool['runsIn']> = Extract<Tool, { runsIn: Place }>

/**
 * Executes the open calls of a step concurrently and returns their outputs. Safe to run again: a call that may have had
 * effects is not repeated; its receipt provides the output. A call that fails three times is given up with an output
 * that reports it; lost workers and shutdowns do not count as failures. Rejects only when the signal aborts, or with
 * `StaleWriterError`.
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
        if (error instanceof StaleWriterError) throw error
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
    const workers = Array.from({ length: Math.min(maxConcurrent, calls.length) }, () =>
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
  /** Opens what the call runs in before it starts, so that a sandbox failure leaves the call untried. */
  const prepare = async (call: OpenCall, ctx: CallContext): Promise<Execute> => {
    const tool = findTool(call.toolName)
    if (tool?.runsIn === 'sandbox') return prepareInSandbox(deps, tool, call, ctx)
    if (tool?.runsIn === 'worker') return prepareInWorker(deps, tool, call, ctx)
    return async (mayRun) => ({ output: mayRun ? notExecutable : outcomeUnknown })
  }

  return async (call: OpenCall, ctx: CallContext, onBegun: () => void): Promise<Executed> => {
    const { toolCallId, toolName, input, attempts } = call
    const { runId, holder, activityId, batch } = ctx
    const own: CallAttempt = { runId, toolCallId, holder, activityId, batch, attempt: attempts + 1 }
    const once = runsAtMostOnce(toolName, input)
    let execute: Execute
    try {
      execute = await prepare(call, ctx)
    } catch (error) {
      if (!isRepositoryDenied(error)) throw error
      return { output: attempts > 0 && once ? outcomeUnknown : { success: false, error: repositoryDenied } }
    }
    ctx.signal.throwIfAborted()
    // A tool starts only after its receipt is stored: an acknowledged stop refuses the receipt.
    const { first } = await recheckIfSlow(() => rows.start(own))
    onBegun()
    try {
      return await execute(first || !once)
    } catch (error) {
      await rows.release(own)
      throw error
    }
  }
}

async function prepareInSandbox(
  deps: ActivityDeps,
  tool: ToolIn<'sandbox'>,
  { toolCallId, input }: OpenCall,
  { runId, sessionId, signal }: CallContext,
): Promise<Execute> {
  const { sandbox, environment } = await openSessionSandbox(deps, sessionId)
  const receipt = `${runId}-${toolCallId}`
  const skills = () => listRunSkills(deps.db, runId)
  const own = { signal, receipt, environment, network: createRunNetwork(deps, runId), skills }
  const { run, recall } = tool
  const forget = recall && { forget: () => sandbox.dropReceipt(receipt) }
  return async (mayRun) => {
    const output = mayRun ? await run(input, own, sandbox) : await recall?.(sandbox, receipt)
    return { output: output ?? outcomeUnknown, ...forget }
  }
}

async function prepareInWorker(
  deps: ActivityDeps,
  tool: ToolIn<'worker'>,
  { toolCallId, input }: OpenCall,
  { runId, signal }: CallContext,
): Promise<Execute> {
  const { egress, platform } = deps
  const platformHeaders = createRunKeyHeaders(deps, runId)
  const own = { signal, runId, toolCallId, egress, platformHeaders, baseUrl: platform.baseUrl }
  // Only the stored result counts: the effect of an earlier attempt that could not store its result is unknown.
  return async (mayRun) => ({ output: mayRun ? await tool.run(input, own) : outcomeUnknown })
}
