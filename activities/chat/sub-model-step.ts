import { Context } from '@temporalio/activity'
import { recheckIfSlow } from '../../db/postgres/retry.ts'
import { StaleWriter } from '../../db/log/writer.ts'
import {
  countSubFailure,
  finishSubStep,
  noteSubOutput,
  openSubStep,
  releaseSubStep,
  type SubAttempt,
} from '../../db/turns/sub-agents/step.ts'
import {
  findSubStepResult,
  readSubAgent,
  subStepResult,
  type SubAgentState,
  type TaskCall,
} from '../../db/turns/sub-agents/state.ts'
import { approvalRules } from '../../domain/chat/approvals.ts'
import { promptTokens } from '../../domain/chat/prompt/context.ts'
import { Folding } from '../../domain/log/fold.ts'
import { createFramer, type Framer } from '../../domain/log/frames.ts'
import { newToolCallId } from '../../domain/fields/ids.ts'
import { subAgentPrompt, type SubStepResult } from '../../domain/chat/sub-agent.ts'
import type { CheckInput } from '../../domain/tools/inputs.ts'
import { parseToolInput, subAgentDefinitions } from '../../domain/tools/tools.ts'
import { attemptNumber } from '../../domain/chat/turns.ts'
import { costOf } from '../../domain/credits/usage.ts'
import type { ModelCall } from '../../providers/model/index.ts'
import type { ActivityDeps } from '../deps.ts'
import { attemptModelCall, readAnswer, startClock, validCalls } from './model-call.ts'
import { isLeaving } from './working.ts'

type Step = TaskCall & { step: number; restart?: number }

const offered = new Set(subAgentDefinitions.map(({ name }) => name))
const checkInput: CheckInput = (name, input) => (offered.has(name) ? parseToolInput(name, input) : undefined)

/** A stop, or a newer attempt, ends a call that says nothing to the log at the latest after this time. */
const noteMs = 1000

/**
 * One model call of a sub-agent. Safe to run again: a step whose end is stored is answered from the store, and a row says
 * which attempt may end it. Nothing that the model says is shown before the step has ended.
 */
export function createSubModelStep(deps: ActivityDeps) {
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
    const clock = startClock(Context.current().info.startToCloseTimeoutMs)
    let said = 0
    const watched = watch(own, () => said)
    const folding = new Folding()
    folding.lay({ type: 'start-step' })
    try {
      const answer = models.stream(call, AbortSignal.any([signal, watched.stale, clock.signal]))
      const outcome = await readAnswer(answer, framer, {
        maxWeight: deps.settings.modelOutputLimit,
        put: (frames, part) => {
          if (part !== undefined && 'delta' in part) said += part.delta.length
          for (const frame of frames) folding.lay(frame)
          return undefined
        },
      })
      return { parts: folding.parts, outcome }
    } catch (error) {
      if (!(await releaseSubStep(db, own, said))) throw new StaleWriter('the step is not ours any more')
      if (!isLeaving()) deps.log.warn({ ...own, err: error }, 'model call of a sub-agent failed')
      throw error
    } finally {
      clock.stop()
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
    await recheckIfSlow(() => db.begin((tx) => openSubStep(tx, opening)))
    notifier.wake(runId)
    const call: ModelCall = {
      idempotencyKey: `${runId}:${toolCallId}:${step}:${attempt}`,
      modelId,
      prompt: [{ role: 'system', content: system }, ...history],
      tools: subAgentDefinitions,
    }
    const rules = approvalRules(state.approvals, { headless: true, subAgent: true })
    const framer = createFramer({ step, attempt, newToolCallId, checkInput: rules.checked(checkInput) })
    const { parts, outcome } = await ask(own, call, framer, signal)
    const calls = validCalls(outcome)
    const costUsd = costOf(outcome.usage, outcome.costUsd, model.prices)
    const { finishReason, goesOn, usage } = outcome
    const ended = { ...own, parts, finishReason, goesOn, usage, costUsd, prices: model.prices, calls }
    await db.begin((tx) => finishSubStep(tx, ended))
    notifier.wake(runId)
    return subStepResult(
      outcome,
      calls.map(({ toolCallId }) => toolCallId),
    )
  }

  const work = async (own: SubAttempt, signal: AbortSignal): Promise<SubStepResult> => {
    const known = await findSubStepResult(db, own, own.step)
    if (known !== undefined) return known
    const state = await readSubAgent(db, own, own.step)
    if (state.ended) return { calls: [], goesOn: false }
    if (!state.open) throw new StaleWriter('the log is closed')
    return callModel(own, state, signal)
  }

  return ({ runId, toolCallId, step, restart = 0 }: Step): Promise<SubStepResult> => {
    const tried = Context.current().info.attempt
    const own: SubAttempt = { runId, toolCallId, step, attempt: attemptNumber(restart, tried) }
    return attemptModelCall(deps, runId, {
      work: (signal) => work(own, signal),
      findStored: () => findSubStepResult(db, own, step),
      countFailure: async () => (await countSubFailure(db, own)) ?? tried,
    })
  }
}
