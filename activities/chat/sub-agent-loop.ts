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
  recordSubOutput,
  openSubStep,
  releaseSubStep,
  type SubAttempt,
} from '../../db/turns/sub-agents/step.ts'
import { readRun } from '../../db/runs/runs.ts'
import { approvalRules } from '../../domain/chat/approvals.ts'
import { maxPauseMs, pauseBeforeRetry } from '../../domain/chat/pauses.ts'
import { promptTokens } from '../../domain/chat/prompt/context.ts'
import { subAgentPrompt } from '../../domain/chat/sub-agent.ts'
import { maxFailures, type SubAgentAction } from '../../domain/chat/turns.ts'
import { computeCost } from '../../domain/credits/usage.ts'
import { newToolCallId } from '../../domain/fields/ids.ts'
import { Folding } from '../../domain/log/fold.ts'
import { createFramer, type Framer } from '../../domain/log/frames.ts'
import type { ModelCall } from '../../providers/model/index.ts'
import { startTimeout } from '../runtime/timeout.ts'
import { sleep } from '../runtime/sleep.ts'
import { offerTools } from '../tools/index.ts'
import type { Batch } from './batches.ts'
import { callTimeoutMs, failureWeight, readModelStream, requestedWaitMs, validCalls } from './model-call.ts'
import { finalMessages } from './sub-agent-output.ts'
import { createToolCalls } from './tool-calls.ts'
import { createTakeoverFailure, type TurnDeps } from './working.ts'

const maxSteps = 30

const failedOutput = { success: false, error: 'The model call of the sub-agent failed' }

/**
 * Advances the sub-agent of one `task` call by the steps of one batch: model calls, tools, and finally the output of the
 * `task` call. If the model fails permanently, that output reports the failure, and the turn continues.
 */
export function createSubAgentLoop(deps: TurnDeps) {
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

  /** Stores the output of the `task` call: its messages and tool results so far. */
  const end = async (task: TaskCall, state: SubAgentState, failed = false): Promise<SubAgentAction> => {
    const progress = await findProgress(db, task)
    const output = failed || progress === undefined ? failedOutput : { final: finalMessages(state.parts), ...progress }
    await finishToolCall(db, { ...task, output })
    notifier.wake(task.runId)
    return { next: 'nothing' }
  }

  /**
   * Returns the pause after a failed call; undefined when the model has failed permanently. `batchFailures`: consecutive
   * failures in this batch.
   */
  const pauseAfter = async (
    attempt: SubAttempt,
    error: unknown,
    batchFailures: number,
  ): Promise<number | undefined> => {
    log.warn({ ...attempt, err: error }, 'the model call of a sub-agent failed')
    const failures = Math.max(batchFailures, (await countSubFailure(db, attempt)) ?? 0)
    if (failureWeight(error) >= maxFailures || failures >= maxFailures) return undefined
    return pauseBeforeRetry(failures, requestedWaitMs(error))
  }

  const advance = async (task: TaskBatch & Holder, batch: Batch): Promise<SubAgentAction> => {
    const { signal } = batch
    const { sessionId, createdAt: startedAt } = await readRun(db, task.runId)
    const subAgent = { toolCallId: task.toolCallId, startedAt }
    let state: SubAgentState | undefined
    for (let batchFailures = 0; ;) {
      state = await readSubAgent(db, task, state)
      const { last, open, ended } = state
      if (ended || !open) return { next: 'nothing' }
      const openCalls = last?.openCalls ?? []
      const step = last === undefined ? 0 : last.step + 1
      batch.progress = { step }
      if (openCalls.length > 0) {
        const onRunning = (tools: string[]): void => void (batch.progress = { step: step - 1, tools })
        await executeCalls(openCalls, { ...task, sessionId, signal, onRunning, subAgent })
      } else if (last?.goesOn === false || step >= maxSteps) return end(task, state)
      else if (state.failures >= maxFailures) return end(task, state, true)
      else {
        const attempt = { ...task, step, attempt: state.attempts + 1 }
        try {
          await callModel(attempt, state, batch)
          batchFailures = 0
        } catch (error) {
          signal.throwIfAborted()
          if (error instanceof StaleWriterError) throw error
          const ms = await pauseAfter(attempt, error, ++batchFailures)
          if (ms === undefined) return end(task, state, true)
          if (ms > maxPauseMs) return { next: 'pause', ms }
          await sleep(ms, signal)
        }
      }
      if (batch.isSpent()) return { next: 'advance' }
    }
  }

  return (task: TaskCall) => {
    const holder = { holder: lock.processId, activityId: Context.current().info.activityId }
    return async (batch: Batch): Promise<SubAgentAction> => {
      const batchNumber = await takeTask(db, { ...task, ...holder })
      if (batchNumber === undefined) return { next: 'nothing' }
      batch.hold()
      const taskBatch = { ...task, ...holder, batch: batchNumber }
      try {
        return await advance(taskBatch, batch)
      } catch (error) {
        if (!(error instanceof StaleWriterError) || batch.isLeaving()) throw error
        const { open, ended } = await readSubAgent(db, taskBatch)
        if (ended || !open) return { next: 'nothing' }
        throw createTakeoverFailure()
      } finally {
        await releaseTask(db, taskBatch)
      }
    }
  }
}

const tools = offerTools({ isSubAgent: true, headless: true, hasSkills: false })

/** A call writes nothing to the log, so at this interval it stores its progress and detects a stop or a newer attempt. */
const progressIntervalMs = 1000

/**
 * Returns a function that makes one model call of a sub-agent. A row records which attempt may end the step.
 * Clients receive the output only after the step has ended.
 */
function createSubModelCall(deps: TurnDeps) {
  const { db, models, notifier } = deps

  /** Stores the length of the output once a second. `stale` aborts after a stop or when a newer attempt owns the step. */
  const watch = (attempt: SubAttempt, characters: () => number): { stale: AbortSignal; end(): void } => {
    const stale = new AbortController()
    let isStoring = false
    const storeProgress = async (): Promise<void> => {
      if (isStoring) return
      isStoring = true
      try {
        if (!(await recordSubOutput(db, attempt, characters())))
          stale.abort(new StaleWriterError('another attempt owns the step'))
      } catch (error) {
        deps.log.debug({ err: error }, 'failed to store the progress of a sub-agent')
      } finally {
        isStoring = false
      }
    }
    const timer = setInterval(() => void storeProgress(), progressIntervalMs)
    return { stale: stale.signal, end: () => clearInterval(timer) }
  }

  /** Makes one attempt at a model call, and returns its output. */
  const attemptCall = async (attempt: SubAttempt, call: ModelCall, framer: Framer, signal: AbortSignal) => {
    let characters = 0
    const watcher = watch(attempt, () => characters)
    const timeout = startTimeout(callTimeoutMs, 'the model call took too long', signal, watcher.stale)
    const folding = new Folding()
    folding.apply({ type: 'start-step' })
    try {
      const outcome = await readModelStream((onPart) => models.stream(call, timeout.signal, onPart), framer, {
        maxWeight: deps.settings.modelOutputLimit,
        onFrames: (frames, part) => {
          if (part !== undefined && 'delta' in part) characters += part.delta.length
          for (const frame of frames) folding.apply(frame)
          return undefined
        },
      })
      return { parts: folding.parts, outcome }
    } catch (error) {
      if (!(await releaseSubStep(db, attempt, characters))) throw new StaleWriterError('another attempt owns the step')
      throw error
    } finally {
      timeout.stop()
      watcher.end()
    }
  }

  return async (ids: SubAttempt & Holder, state: SubAgentState, { signal }: { signal: AbortSignal }): Promise<void> => {
    const { runId, toolCallId, step, attempt } = ids
    const modelId = state.modelId ?? deps.settings.subAgentModel ?? state.runModelId
    const model = await models.describe(modelId)
    const context = { ...state, workingDirectory: deps.sandboxes.workingDirectory }
    const { system, history } = subAgentPrompt(context, state.input, state.parts)
    const opening = {
      ...ids,
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
    const framer = createFramer({ step, attempt, newToolCallId, checkInput: rules.withApprovalCheck(tools.checkInput) })
    const { parts, outcome } = await attemptCall(ids, call, framer, signal)
    const calls = validCalls(outcome)
    const costUsd = computeCost(outcome.usage, outcome.costUsd, model.prices)
    const { finishReason, goesOn, usage } = outcome
    const finishedStep = { ...ids, parts, finishReason, goesOn, usage, costUsd, prices: model.prices, calls }
    await db.begin((tx) => finishSubStep(tx, finishedStep))
    notifier.wake(runId)
  }
}
