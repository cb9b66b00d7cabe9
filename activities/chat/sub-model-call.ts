import { recheckIfSlow } from '../../db/postgres/retry.ts'
import { StaleWriter } from '../../db/log/writer.ts'
import {
  finishSubStep,
  noteSubOutput,
  openSubStep,
  releaseSubStep,
  type SubAttempt,
} from '../../db/turns/sub-agents/step.ts'
import type { Holder } from '../../db/turns/batch.ts'
import type { SubAgentState } from '../../db/turns/sub-agents/state.ts'
import { approvalRules } from '../../domain/chat/approvals.ts'
import { promptTokens } from '../../domain/chat/prompt/context.ts'
import { Folding } from '../../domain/log/fold.ts'
import { createFramer, type Framer } from '../../domain/log/frames.ts'
import { newToolCallId } from '../../domain/fields/ids.ts'
import { subAgentPrompt } from '../../domain/chat/sub-agent.ts'
import type { CheckInput } from '../../domain/tools/inputs.ts'
import { parseToolInput, subAgentDefinitions } from '../../domain/tools/tools.ts'
import { costOf } from '../../domain/credits/usage.ts'
import type { ModelCall } from '../../providers/model/index.ts'
import type { ActivityDeps } from '../deps.ts'
import { startClock } from './clock.ts'
import { callMs, readAnswer, validCalls } from './model-call.ts'

const offered = new Set(subAgentDefinitions.map(({ name }) => name))
const checkInput: CheckInput = (name, input) => (offered.has(name) ? parseToolInput(name, input) : undefined)

/** A stop, or a newer attempt, ends a call that says nothing to the log at the latest after this time. */
const noteMs = 1000

/**
 * One model call of a sub-agent: a row says which attempt may end it. Nothing that the model says is shown before the step
 * has ended.
 */
export function createSubModelCall(deps: ActivityDeps) {
  const { db, models, notifier } = deps

  /** Stores how much was said, once a second; aborts when the answer has no use any more. */
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
    const clock = startClock(callMs, 'the model call took too long')
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
  }
}
