import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity'
import { recheckIfSlow, retryWhileDatabaseDown } from '../../db/postgres/retry.ts'
import { StaleWriter } from '../../db/log/writer.ts'
import {
  countSubFailure,
  finishSubStep,
  noteSubOutput,
  openSubStep,
  releaseSubStep,
} from '../../db/turns/sub-agents/step.ts'
import type { SubAttempt } from '../../db/turns/sub-agents/step.ts'
import { findSubStepResult, readSubAgent, subStepResult } from '../../db/turns/sub-agents/state.ts'
import type { SubAgentState, TaskCall } from '../../db/turns/sub-agents/state.ts'
import { promptTokens } from '../../domain/chat/context.ts'
import { Folding } from '../../domain/log/fold.ts'
import { createFramer, weightOf } from '../../domain/log/frames.ts'
import type { Framer, ModelOutcome } from '../../domain/log/frames.ts'
import { newToolCallId } from '../../domain/fields/ids.ts'
import { subAgentPrompt } from '../../domain/chat/sub-agent.ts'
import type { SubStepResult } from '../../domain/chat/sub-agent.ts'
import type { CheckInput } from '../../domain/tools/inputs.ts'
import { parseToolInput, subAgentDefinitions } from '../../domain/tools/tools.ts'
import { attemptNumber } from '../../domain/chat/turns.ts'
import { costOf } from '../../domain/credits/usage.ts'
import type { ModelCall } from '../../providers/model/index.ts'
import type { ActivityDeps } from '../deps.ts'
import { runClosed } from './closed.ts'
import { endlessAnswer, modelFailed, reportMs } from './model-step.ts'
import { isLeaving, withWorkerLock } from './working.ts'

type Step = TaskCall & { step: number; restart?: number }

const offered = new Set(subAgentDefinitions.map(({ name }) => name))
const checkInput: CheckInput = (name, input) => (offered.has(name) ? parseToolInput(name, input) : undefined)

/** A stop, or a newer attempt, ends a call that says nothing to the log at the latest after this time. */
const noteMs = 1000

/**
 * One model call of a sub-agent. Safe to run again: a step whose end is stored is answered from the store, and a row says
 * which attempt may end it. Nothing that the model says is shown before the step has ended.
 */
export const createSubModelStep = (deps: ActivityDeps) => {
  const { db, models, notifier } = deps

  /** Notes what was said, once a second; aborts when the answer has no use any more. */
  const watch = (own: SubAttempt, said: () => number): { stale: AbortSignal; end(): void } => {
    const stale = new AbortController()
    let noting = false
    const note = async (): Promise<void> => {
      if (noting) return
      noting = true
      try {
        if (!(await noteSubOutput(db, own, said()))) stale.abort(new StaleWriter('the step is not ours any more'))
      } catch (error) {
        deps.log.debug({ err: error }, 'the progress of a sub-agent could not be noted')
      } finally {
        noting = false
      }
    }
    const timer = setInterval(() => void note(), noteMs)
    return { stale: stale.signal, end: () => clearInterval(timer) }
  }

  /** What one attempt at one model call came to. */
  const ask = async (own: SubAttempt, call: ModelCall, framer: Framer, signal: AbortSignal) => {
    const clock = new AbortController()
    const timer = setTimeout(
      () => clock.abort(new Error('the model call took too long')),
      Context.current().info.startToCloseTimeoutMs - reportMs,
    )
    let said = 0
    let weight = 0
    const watched = watch(own, () => said)
    const folding = new Folding()
    folding.lay({ type: 'start-step' })
    try {
      for await (const part of models.stream(call, AbortSignal.any([signal, watched.stale, clock.signal]))) {
        if ('delta' in part) said += part.delta.length
        weight += weightOf(part)
        if (weight > deps.settings.modelOutputLimit) throw endlessAnswer()
        for (const frame of framer.push(part)) folding.lay(frame)
      }
      const { frames, outcome } = framer.end()
      for (const frame of frames) folding.lay(frame)
      return { parts: folding.parts, outcome }
    } catch (error) {
      if (!(await retryWhileDatabaseDown(() => releaseSubStep(db, own, said))))
        throw new StaleWriter('the step is not ours any more')
      if (!isLeaving()) deps.log.warn({ ...own, err: error }, 'model call of a sub-agent failed')
      throw error
    } finally {
      clearTimeout(timer)
      watched.end()
    }
  }

  const callModel = async (own: SubAttempt, state: SubAgentState, signal: AbortSignal): Promise<SubStepResult> => {
    const { runId, toolCallId, step, attempt } = own
    const modelId = state.modelId ?? deps.settings.subAgentModel ?? state.runModelId
    const model = await models.describe(modelId)
    const context = { ...state, workingDirectory: deps.sandboxes.workingDirectory }
    const { system, history } = subAgentPrompt(context, state.input, state.parts)
    const opening = {
      ...own,
      holder: deps.lock.processId,
      activityId: Context.current().info.activityId,
      modelId,
      inputTokens: promptTokens(history),
      inputPrice: model.prices?.input,
      outputPrice: model.prices?.output,
    }
    // The model is asked only when the step is ours: after a stop was acknowledged no call begins.
    await recheckIfSlow(() => retryWhileDatabaseDown(() => db.begin((tx) => openSubStep(tx, opening)), signal))
    notifier.wake(runId)
    const call: ModelCall = {
      idempotencyKey: `${runId}:${toolCallId}:${step}:${attempt}`,
      modelId,
      prompt: [{ role: 'system', content: system }, ...history],
      tools: subAgentDefinitions,
    }
    const framer = createFramer({ step, attempt, newToolCallId, checkInput })
    const { parts, outcome } = await ask(own, call, framer, signal)
    const calls = toolCallsOf(outcome)
    const costUsd = costOf(outcome.usage, outcome.costUsd, model.prices)
    const { finishReason, usage } = outcome
    const ended = { ...own, parts, finishReason, usage, costUsd, prices: model.prices, calls }
    await retryWhileDatabaseDown(() => db.begin((tx) => finishSubStep(tx, ended)), signal)
    notifier.wake(runId)
    return subStepResult(
      outcome.finishReason,
      calls.map(({ toolCallId }) => toolCallId),
    )
  }

  const work = async (own: SubAttempt, signal: AbortSignal): Promise<SubStepResult> => {
    const known = await retryWhileDatabaseDown(() => findSubStepResult(db, own, own.step), signal)
    if (known !== undefined) return known
    const state = await retryWhileDatabaseDown(() => readSubAgent(db, own, own.step), signal)
    if (state.ended) return { calls: [], goesOn: false }
    if (!state.open) throw new StaleWriter('the log is closed')
    return callModel(own, state, signal)
  }

  /** Only what the model did counts among its attempts: not a worker that was lost or is leaving. */
  const toFailure = async (error: unknown, own: SubAttempt, tried: number): Promise<unknown> => {
    if (error instanceof StaleWriter) return runClosed()
    if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error
    return modelFailed(error, (await retryWhileDatabaseDown(() => countSubFailure(db, own))) ?? tried)
  }

  return async ({ runId, toolCallId, step, restart = 0 }: Step): Promise<SubStepResult> => {
    const tried = Context.current().info.attempt
    const own: SubAttempt = { runId, toolCallId, step, attempt: attemptNumber(restart, tried) }
    try {
      return await withWorkerLock(deps, runId, (signal) => work(own, signal))
    } catch (error) {
      // The end of the step may have been stored by a commit whose answer was lost.
      const stored =
        error instanceof StaleWriter ? await retryWhileDatabaseDown(() => findSubStepResult(db, own, step)) : undefined
      if (stored !== undefined) return stored
      throw await toFailure(error, own, tried)
    }
  }
}

const toolCallsOf = ({ toolCalls }: ModelOutcome) =>
  toolCalls.filter((call) => call.invalid !== true).toSorted((a, b) => (a.toolCallId < b.toolCallId ? -1 : 1))
