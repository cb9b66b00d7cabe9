import { isContentError } from '../../db/postgres/failures.ts'
import { recheckIfSlow } from '../../db/postgres/retry.ts'
import { StaleWriterError } from '../../db/log/writer.ts'
import type { Holder } from '../../db/turns/take-turn.ts'
import { announceLoss } from '../../db/turns/sandbox-loss.ts'
import { listRunSkills } from '../../db/turns/skills.ts'
import type { CallAttempt, ToolResult } from '../../db/turns/steps/tool.ts'
import { maxFailures, type OpenCall } from '../../domain/chat/turns.ts'
import { storableJson } from '../../domain/fields/storable.ts'
import { describeLoss, findLoss, type SandboxLoss } from '../../domain/sandboxes/loss.ts'
import { sleep } from '../runtime/sleep.ts'
import { createRunNetwork, createRunKeyHeaders } from '../sandboxes/network.ts'
import { isRepositoryDenied, repositoryDenied } from '../repositories/access.ts'
import { openSessionSandbox } from '../sandboxes/session.ts'
import type { Tool } from '../tools/define.ts'
import { changesFiles, findTool, isRepeatable, runsAtMostOnce } from '../tools/index.ts'
import { startTimeout } from '../runtime/timeout.ts'
import type { TurnDeps } from './working.ts'

const outcomeUnknown = { success: false, error: 'interrupted, outcome unknown' }
const notStarted = { success: false, error: 'not started: the sandbox could not be reached; nothing was done' }
/** Output for a tool of a newer build, or for a tool whose calls the turn loop handles. */
const notExecutable = { success: false, error: 'this worker cannot run the tool; nothing was done' }
const failedEveryAttempt = { success: false, error: 'failed at every attempt' }

/** Returns the output of an abandoned call. The outcome is unknown only if the call started and must not run twice. */
export function abandonedOutput({ attempts, toolName, input }: Omit<OpenCall, 'toolCallId'>): object {
  if (attempts === 0) return notStarted
  return runsAtMostOnce(toolName, input) ? outcomeUnknown : failedEveryAttempt
}

/** Stores the tool calls of a turn or of a sub-agent. */
export type ToolCallStore = {
  start(attempt: CallAttempt): Promise<{ first: boolean }>
  release(attempt: CallAttempt): Promise<void>
  store(result: ToolResult): Promise<void>
}

/** The run that owns the calls, the batch that executes them, and the signal that ends them. */
export type CallContext = Holder & {
  runId: string
  sessionId: string
  /** The step of the turn; undefined for a sub-agent. */
  step?: number
  batch: number
  signal: AbortSignal
  /** Called with the names of the running tools whenever they change. */
  onRunning: (tools: string[]) => void
  /** Whether the output of the last call is returned without being stored, if the call may repeat. */
  keepsLastOutput?: boolean
  /** Called when a loss of the sandbox's files is detected, after the chat was notified. */
  onLoss?: () => void
  /** For a sub-agent: its `task` call, and the start of its run. The outputs of its tools report losses of files since then. */
  subAgent?: { toolCallId: string; startedAt: Date }
}

/** Maximum number of calls of one step that run concurrently. */
export const maxConcurrentCalls = 16
/** Timeout of one attempt at a call. Tools have their own, shorter timeouts. */
const callTimeoutMs = 130_000
/** Maximum tries of a call whose sandbox cannot be opened. All tries together take a few minutes. */
const maxTries = 25

/** Outputs of all calls. The caller must store `unstored`. */
type Outputs = { outputs: { toolCallId: string; output: unknown }[]; unstored: ToolResult | undefined }
/** Result of a call. `deleteReceipt` deletes its receipt in the sandbox after the output is stored. */
type ExecutionResult = { output: unknown; deleteReceipt?: () => Promise<void> }
/** Executes a prepared call. `mayRun` is false when an earlier attempt may have had effects that must not repeat. */
type ExecuteCall = (mayRun: boolean) => Promise<ExecutionResult>
type ToolIn<Location extends Tool['runsIn']> = Extract<Tool, { runsIn: Location }>

/**
 * Executes the open calls of a step concurrently and returns their outputs. Safe to run again: a call that may have had
 * effects is not repeated, and its receipt provides the output. A call that fails three times is abandoned with an output
 * that reports the failure; lost workers and shutdowns do not count as failures. Rejects only when the signal aborts, or with
 * `StaleWriterError`.
 */
export function createToolCalls(deps: TurnDeps, toolCalls: ToolCallStore) {
  const attempt = createAttempt(deps, toolCalls)

  const executeWithRetries = async (call: OpenCall, ctx: CallContext): Promise<ExecutionResult> => {
    for (let tries = 1, attempts = call.attempts; ; tries++) {
      const timeout = startTimeout(callTimeoutMs, 'the tool call took too long', ctx.signal)
      const { signal } = timeout
      try {
        return await timeout.limit(() => attempt({ ...call, attempts }, { ...ctx, signal }, () => attempts++))
      } catch (error) {
        ctx.signal.throwIfAborted()
        if (error instanceof StaleWriterError) throw error
        const { runId } = ctx
        const { toolCallId, toolName } = call
        deps.log.warn({ runId, toolCallId, toolName, tries, err: error }, 'a tool call failed')
        if (attempts >= maxFailures || tries === maxTries) return { output: abandonedOutput({ ...call, attempts }) }
        await sleep(Math.min(200 * 2 ** (tries - 1), 5000), ctx.signal)
      } finally {
        timeout.stop()
      }
    }
  }

  /** Stores an output and returns it. If Postgres rejects its content, stores a failure in its place. */
  const store = async (result: ToolResult, call: OpenCall): Promise<unknown> => {
    try {
      await toolCalls.store(result)
      return result.output
    } catch (error) {
      if (!isContentError(error)) throw error
      const output = abandonedOutput({ ...call, attempts: call.attempts + 1 })
      await toolCalls.store({ ...result, output })
      return output
    }
  }

  const executeAll = async (calls: readonly OpenCall[], ctx: CallContext): Promise<Outputs> => {
    const outputs: Outputs['outputs'] = []
    let unstored: ToolResult | undefined
    const { runId, keepsLastOutput } = ctx
    const runningCalls = new Set<OpenCall>()
    const queue = calls.values()
    const failure = new AbortController()
    const { signal } = failure
    const abort = (): void => failure.abort(ctx.signal.reason)
    if (ctx.signal.aborted) abort()
    ctx.signal.addEventListener('abort', abort)
    const report = (): void => ctx.onRunning([...runningCalls].map(({ toolName }) => toolName))
    const executeQueue = async (): Promise<void> => {
      for (const call of queue) {
        signal.throwIfAborted()
        runningCalls.add(call)
        report()
        const { toolCallId } = call
        const { output, deleteReceipt } = await executeWithRetries(call, { ...ctx, signal })
        const result = { runId, toolCallId, output: storableJson(output) }
        const isKept =
          keepsLastOutput &&
          outputs.length === calls.length - 1 &&
          deleteReceipt === undefined &&
          isRepeatable(call.toolName, call.input)
        if (isKept) unstored = result
        outputs.push({ toolCallId, output: isKept ? result.output : await store(result, call) })
        // A receipt that cannot be deleted now is deleted with the sandbox.
        deleteReceipt?.().catch(() => {})
        runningCalls.delete(call)
        report()
      }
    }
    const executions = Array.from({ length: Math.min(maxConcurrentCalls, calls.length) }, () =>
      executeQueue().catch((error: unknown) => {
        failure.abort(error)
        throw error
      }),
    )
    await Promise.allSettled(executions)
    ctx.signal.removeEventListener('abort', abort)
    await Promise.all(executions)
    return { outputs, unstored }
  }

  return async (calls: readonly OpenCall[], ctx: CallContext): Promise<Outputs> => {
    if (deps.checkpoints === undefined || !calls.some(({ toolName }) => changesFiles(toolName)))
      return executeAll(calls, ctx)
    const cause = { runId: ctx.runId, step: ctx.step ?? null }
    const endChanges = await deps.checkpoints.start(ctx.sessionId, cause, ctx.signal)
    try {
      return await executeAll(calls, ctx)
    } finally {
      endChanges()
    }
  }
}

/** Returns a function that makes one attempt at a call. It calls `onBegun` once the receipt of the call is stored. */
function createAttempt(deps: TurnDeps, toolCalls: ToolCallStore) {
  const announce = createAnnouncements(deps)

  /** Opens the sandbox of a call before the call starts, so that a sandbox failure does not count as an attempt. */
  const prepare = async (call: OpenCall, ctx: CallContext): Promise<ExecuteCall> => {
    const tool = findTool(call.toolName)
    if (tool?.runsIn === 'sandbox') return prepareInSandbox({ ...deps, announce }, tool, call, ctx)
    if (tool?.runsIn === 'worker') return prepareInWorker(deps, tool, call, ctx)
    return async (mayRun) => ({ output: mayRun ? notExecutable : outcomeUnknown })
  }

  return async (call: OpenCall, ctx: CallContext, onBegun: () => void): Promise<ExecutionResult> => {
    const { toolCallId, toolName, input, attempts } = call
    const { runId, holder, activityId, batch } = ctx
    const ids: CallAttempt = { runId, toolCallId, holder, activityId, batch, attempt: attempts + 1 }
    const isAtMostOnce = runsAtMostOnce(toolName, input)
    let execute: ExecuteCall
    try {
      execute = await prepare(call, ctx)
    } catch (error) {
      if (!isRepositoryDenied(error)) throw error
      return { output: attempts > 0 && isAtMostOnce ? outcomeUnknown : { success: false, error: repositoryDenied } }
    }
    ctx.signal.throwIfAborted()
    // A tool starts only after its receipt is stored. No receipt can be stored once a stop was acknowledged.
    const isStarted = call.isStarted === true && attempts === 0
    const { first } = isStarted ? { first: true } : await recheckIfSlow(() => toolCalls.start(ids))
    onBegun()
    try {
      return await execute(first || !isAtMostOnce)
    } catch (error) {
      await toolCalls.release(ids)
      throw error
    }
  }
}

async function prepareInSandbox(
  deps: TurnDeps & { announce: Announce },
  tool: ToolIn<'sandbox'>,
  { toolCallId, input }: OpenCall,
  ctx: CallContext,
): Promise<ExecuteCall> {
  const { runId, sessionId, signal } = ctx
  const { sandbox, environment } = await openSessionSandbox(deps, sessionId)
  const notice = await deps.announce(ctx, findLoss(sandbox.state))
  const receipt = `${runId}-${toolCallId}`
  const skills = () => listRunSkills(deps.db, runId)
  const context = { signal, receipt, environment, network: createRunNetwork(deps, runId), skills }
  const { run, recall } = tool
  const deleteReceipt = recall && { deleteReceipt: () => sandbox.dropReceipt(receipt) }
  return async (mayRun) => {
    const output = mayRun ? await run(input, context, sandbox) : await recall?.(sandbox, receipt)
    return { output: { ...(output ?? outcomeUnknown), ...(notice !== undefined && { notice }) }, ...deleteReceipt }
  }
}

/** Announces a loss of files before the first call after the loss. Returns the notice to add to the output of that call. */
type Announce = (ctx: CallContext, loss: SandboxLoss | undefined) => Promise<string | undefined>

const maxAnnounced = 1000

function createAnnouncements({ db, notifier }: TurnDeps): Announce {
  const announcedKeys = new Set<string>()
  return async ({ runId, subAgent, onLoss }, loss) => {
    if (loss === undefined) return undefined
    const key = `${runId} ${subAgent?.toolCallId ?? ''} ${loss.epoch}`
    if (announcedKeys.has(key)) return undefined
    const isNew = await db.begin((tx) => announceLoss(tx, runId, loss))
    if (announcedKeys.size >= maxAnnounced) announcedKeys.clear()
    announcedKeys.add(key)
    if (isNew) {
      notifier.wake(runId)
      onLoss?.()
    }
    return subAgent !== undefined && subAgent.startedAt.getTime() < loss.lostAt ? describeLoss(loss) : undefined
  }
}

async function prepareInWorker(
  deps: TurnDeps,
  tool: ToolIn<'worker'>,
  { toolCallId, input }: OpenCall,
  { runId, signal }: CallContext,
): Promise<ExecuteCall> {
  const { egress, platform } = deps
  const platformHeaders = createRunKeyHeaders(deps, runId)
  const context = { signal, runId, toolCallId, egress, platformHeaders, baseUrl: platform.baseUrl }
  // If `mayRun` is false, an earlier attempt may have had an effect but stored no result.
  return async (mayRun) => ({ output: mayRun ? await tool.run(input, context) : outcomeUnknown })
}
