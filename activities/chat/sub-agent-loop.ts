import { Context } from '@temporalio/activity'
import { recheckIfSlow } from '../../db/postgres/retry.ts'
import { StaleWriterError } from '../../db/log/writer.ts'
import type { Holder } from '../../db/turns/take-turn.ts'
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
import {
  countSubFailure,
  finishSubStep,
  noteSubOutput,
  openSubStep,
  releaseSubStep,
  type SubAttempt,
} from '../../db/turns/sub-agents/step.ts'
import { readRun } from '../../db/runs/runs.ts'
import { approvalRules } from '../../domain/chat/approvals.ts'
import { maxPauseMs, pauseBeforeRetry } from '../../domain/chat/pauses.ts'
import { promptTokens } from '../../domain/chat/prompt/context.ts'
import { subAgentPrompt } from '../../domain/chat/sub-agent.ts'
import { maxFailures, type SubAdvanced } from '../../domain/chat/turns.ts'
import { computeCost } from '../../domain/credits/usage.ts'
import { newToolCallId } from '../../domain/fields/ids.ts'
import { Folding } from '../../domain/log/fold.ts'
import { createFramer, type Framer } from '../../domain/log/frames.ts'
import type { ModelCall } from '../../providers/model/index.ts'
import type { ActivityDeps } from '../deps.ts'
import { startClock } from '../runtime/clock.ts'
import { sleep } from '../runtime/sleep.ts'
import { offerTools } from '../tools/index.ts'
import type { Batch } from './batches.ts'
import { callMs, failureWeight, readModelStream, requestedWaitMs, validCalls } from './model-call.ts'
import { finalMessages } from './sub-agent-output.ts'
import { createToolCalls } from './tool-calls.ts'
import { takenOver } from './working.ts'

const maxSteps = 30

const modelFailed = { success: false, error: 'The model call of the sub-agent failed' }

/**
 * Advances the sub-agent of one `task` call by the steps of one batch, as for a turn: model call, tools, and finally
 * the output of the call. A failed model becomes an output for the parent and does not end the turn.
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

  /** Stores the output: the messages and tool results of the sub-agent, even when it has used up its steps. */
  const end = async (task: TaskCall, state: SubAgentState, failed = false): Promise<SubAdvanced> => {
    const progress = await findProgress(db, task)
    const output = failed || progress === undefined ? modelFailed : { final: finalMessages(state.parts), ...progress }
    await finishToolCall(db, { ...task, output })
    notifier.wake(task.runId)
    return { next: 'nothing' }
  }

  /**
   * Returns the pause after a failed call, or undefined when the model has failed permanently. `tried`: consecutive
   * failures in this batch.
   */
  const pauseAfter = async (own: SubAttempt, error: unknown, tried: number): Promise<number | undefined> => {
    log.warn({ ...own, err: error }, 'the model call of a sub-agent failed')
    const failures = Math.max(tried, (await countSubFailure(db, own)) ?? 0)
    if (failureWeight(error) >= maxFailures || failures >= maxFailures) return undefined
    return pauseBeforeRetry(failures, requestedWaitMs(error))
  }

  const advance = async (own: TaskBatch & Holder, batch: Batch): Promise<SubAdvanced> => {
    const { signal } = batch
    const { sessionId } = await readRun(db, own.runId)
    let state: SubAgentState | undefined
    for (let tried = 0; ;) {
      state = await readSubAgent(db, own, state)
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
          if (error instanceof StaleWriterError) throw error
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
        if (!(error instanceof StaleWriterError) || batch.isLeaving()) throw error
        const { open, ended } = await readSubAgent(db, own)
        if (ended || !open) return { next: 'nothing' }
        throw takenOver()
      } finally {
        await releaseTask(db, own)
      }
    }
  }
}

const tools = offerTools({ isSubAgent: true, headless: true, hasSkills: false })

/** Interval at which a call that writes nothing to the log checks for a stop or a newer attempt. */
const noteMs = 1000

/**
 * One model call of a sub-agent. A row records which attempt may end it. Output is not shown before the step has ended.
 */
function createSubModelCall(deps: ActivityDeps) {
  const { db, models, notifier } = deps

  /** Stores the length of the output once a second. Aborts when the output is no longer needed. */
  const watch = (own: SubAttempt, characters: () => number): { stale: AbortSignal; end(): void } => {
    const stale = new AbortController()
    let noting = false
    const note = async (): Promise<void> => {
      if (noting) return
      noting = true
      try {
        if (!(await noteSubOutput(db, own, characters())))
          stale.abort(new StaleWriterError('another attempt owns the step'))
      } catch (error) {
        deps.log.debug({ err: error }, 'failed to store the progress of a sub-agent')
      } finally {
        noting = false
      }
    }
    const timer = setInterval(() => void note(), noteMs)
    return { stale: stale.signal, end: () => clearInterval(timer) }
  }

  /** Result of one model-call attempt. */
  const ask = async (own: SubAttempt, call: ModelCall, framer: Framer, signal: AbortSignal) => {
    const clock = startClock(callMs, 'the model call took too long')
    let characters = 0
    const watched = watch(own, () => characters)
    const folding = new Folding()
    folding.apply({ type: 'start-step' })
    try {
      const answer = models.stream(call, AbortSignal.any([signal, watched.stale, clock.signal]))
      const outcome = await readModelStream(answer, framer, {
        maxWeight: deps.settings.modelOutputLimit,
        put: (frames, part) => {
          if (part !== undefined && 'delta' in part) characters += part.delta.length
          for (const frame of frames) folding.apply(frame)
          return undefined
        },
      })
      return { parts: folding.parts, outcome }
    } catch (error) {
      if (!(await releaseSubStep(db, own, characters))) throw new StaleWriterError('another attempt owns the step')
      throw error
    } finally {
      clock.stop()
      watched.end()
    }
  }

  return async (own: SubAttempt & Holder, state: SubAgentState, { signal }: { signal: AbortSignal }): Promise<void> => {
    const { runId, toolCallId, step, attempt } = own
    const modelId = state.modelId ?? deps.settings.subAgentModel ?? state.runModelId
    const model = await models.describe(modelId)
    const context = { ...state, workingDirectory: deps.sandboxes.workingDirectory }
    const { system, history } = subAgentPrompt(context, state.input, state.parts)
    const opening = {
      ...own,
      modelId,
      inputTokens: promptTokens(history),
      inputPrice: model.prices?.input,
      outputPrice: model.prices?.output,
    }
    // Opens the step before the model call, so that no call starts after a stop was acknowledged.
    await recheckIfSlow(() => db.begin((tx) => openSubStep(tx, opening)))
    notifier.wake(runId)
    const call: ModelCall = {
      idempotencyKey: `${runId}:${toolCallId}:${step}:${attempt}`,
      modelId,
      prompt: [{ role: 'system', content: system }, ...history],
      tools: tools.definitions,
    }
    const rules = approvalRules(state.approvals, { headless: true, subAgent: true })
    const framer = createFramer({ step, attempt, newToolCallId, checkInput: rules.checked(tools.checkInput) })
    const { parts, outcome } = await ask(own, call, framer, signal)
    const calls = validCalls(outcome)
    const costUsd = computeCost(outcome.usage, outcome.costUsd, model.prices)
    const { finishReason, goesOn, usage } = outcome
    const ended = { ...own, parts, finishReason, goesOn, usage, costUsd, prices: model.prices, calls }
    await db.begin((tx) => finishSubStep(tx, ended))
    notifier.wake(runId)
  }
}
