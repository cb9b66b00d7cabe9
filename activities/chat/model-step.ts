import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity'
import type { Run } from '../../db/runs/runs.ts'
import { recheckIfSlow, retryWhileDatabaseDown } from '../../db/postgres/retry.ts'
import { markAbandoned } from '../../db/log/stream.ts'
import { StaleWriter } from '../../db/log/writer.ts'
import type { RunWriter } from '../../db/log/writer.ts'
import { keepInput, readTurnState } from '../../db/turns/context.ts'
import type { TurnState } from '../../db/turns/context.ts'
import { owesCommit } from '../../db/turns/commit.ts'
import { findStepResult, finishCall, resultOf } from '../../db/turns/step-end.ts'
import { countFailure, openStep } from '../../db/turns/step.ts'
import type { OpenedStep } from '../../db/turns/step.ts'
import { Folding } from '../../domain/log/fold.ts'
import { createFramer, weightOf } from '../../domain/log/frames.ts'
import type { Frame, Framer, ModelOutcome } from '../../domain/log/frames.ts'
import type { RequestMessage } from '../../domain/chat/messages.ts'
import { newToolCallId } from '../../domain/fields/ids.ts'
import type { CheckInput } from '../../domain/tools/inputs.ts'
import { parseToolInput, toolDefinitions } from '../../domain/tools/tools.ts'
import { attemptNumber, maxFailures } from '../../domain/chat/turns.ts'
import type { StepResult } from '../../domain/chat/turns.ts'
import { addUsage, costOf } from '../../domain/credits/usage.ts'
import { ModelError } from '../../providers/model/index.ts'
import type { ModelCall, ModelPart } from '../../providers/model/index.ts'
import type { ActivityDeps } from '../deps.ts'
import { skillsOfRun } from '../skills/of-run.ts'
import { runClosed } from './closed.ts'
import { contextOf } from './context.ts'
import type { TurnContext } from './context.ts'
import { isLeaving, withWorkerLock } from './working.ts'

type Attempt = { run: Run; step: number; attempt: number }
type Answer = { nextSeq: number; rest: Frame[]; folding: Folding; outcome: ModelOutcome }

/** What the engine cuts off nobody can report: an attempt ends itself before that. */
export const reportMs = 5000

const pauseBeforeRetry = (failures: number): number => Math.min(1000 * 2 ** (failures - 1), 10_000)

/** How a failed model call is told to the engine: what may help again, and after which pause. */
export const modelFailed = (error: unknown, failures: number): ApplicationFailure => {
  const retryable = !(error instanceof ModelError) || error.retryable
  const wait = error instanceof ModelError ? error.retryAfterMs : undefined
  return ApplicationFailure.create({
    type: 'ModelFailed',
    message: 'the model call failed',
    nonRetryable: !retryable || failures >= maxFailures,
    nextRetryDelay: Math.max(pauseBeforeRetry(failures), Math.min(wait ?? 0, 60_000)),
  })
}

/** Asking again would cost as much and bring as little. */
export const endlessAnswer = (): ModelError => new ModelError('the model does not come to an end', { retryable: false })

const metadataFrame = (context: TurnContext, run: Run, outcome: ModelOutcome, costUsd: number) => {
  const { finishReason, rawFinishReason, usage } = outcome
  const reason = { finishReason, ...(rawFinishReason === undefined ? {} : { rawFinishReason }) }
  return {
    type: 'message-metadata',
    messageMetadata: {
      runId: run.id,
      selectedModelId: run.modelId,
      modelId: run.modelId,
      lastStepUsage: usage,
      totalMessageUsage: context.totals.usage === undefined ? usage : addUsage(context.totals.usage, usage),
      lastStepCost: costUsd,
      totalMessageCost: (context.totals.cost ?? 0) + costUsd,
      lastStepFinishReason: finishReason,
      stepFinishReasons: [...context.totals.finishReasons, reason],
    },
  }
}

/** Worth a write: more than half of what each step would read can never be told to the model. */
const exceedsContext = (input: readonly RequestMessage[], needed: readonly RequestMessage[]): boolean =>
  needed.length < input.length && 2 * JSON.stringify(needed).length < JSON.stringify(input).length

type StepIds = { runId: string; step: number; restart?: number }

/**
 * One model call of a turn. Safe to run again: a step whose end is stored is answered from the store, frames that an
 * abandoned attempt left are retracted, and the fence refuses every append of an attempt that was replaced.
 */
export const createModelStep = (deps: ActivityDeps) => {
  const { db, models, writer, notifier } = deps

  /** What one attempt at one model call came to. Frames that are not yet on their way to the log are left to the caller. */
  const stream = async (
    { run, step, attempt }: Attempt,
    call: ModelCall,
    framer: Framer,
    at: OpenedStep,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const clock = new AbortController()
    const timer = setTimeout(
      () => clock.abort(new Error('the model call took too long')),
      Context.current().info.startToCloseTimeoutMs - reportMs,
    )
    const appender = writer.open({ runId: run.id, ...at })
    try {
      const parts = models.stream(call, AbortSignal.any([signal, appender.stale, clock.signal]))
      return await write(parts, framer, appender)
    } catch (error) {
      appender.stale.throwIfAborted()
      if (signal.reason instanceof StaleWriter) throw signal.reason
      // What the client already saw of a failed attempt is retracted by the next one; it must be in the log for that.
      await appender.drain()
      const reason = isLeaving() ? 'worker_lost' : clock.signal.aborted ? 'timeout' : 'model_error'
      await markAbandoned(db, run.id, at.fence, reason)
      if (reason !== 'worker_lost') deps.log.warn({ runId: run.id, step, attempt, err: error }, 'model call failed')
      throw error
    } finally {
      clearTimeout(timer)
      appender.close()
    }
  }

  const write = async (parts: AsyncIterable<ModelPart>, framer: Framer, appender: RunWriter): Promise<Answer> => {
    const folding = new Folding()
    folding.lay({ type: 'start-step' })
    const put = (frames: Frame[]): void => {
      for (const frame of frames) {
        folding.lay(frame)
        appender.push(frame)
      }
    }
    let weight = 0
    for await (const part of parts) {
      weight += weightOf(part)
      if (weight > deps.settings.modelOutputLimit) throw endlessAnswer()
      put(framer.push(part))
      const full = appender.full()
      if (full !== undefined) await full
    }
    const { frames, outcome } = framer.end()
    put(frames)
    return { ...(await appender.settle()), folding, outcome }
  }

  const callModel = async (
    { attempt, activityId }: { attempt: number; activityId: string },
    state: TurnState,
    step: number,
    signal: AbortSignal,
  ): Promise<StepResult> => {
    const { run, answer } = state
    const model = await models.describe(run.modelId)
    const skills = state.skills ?? (await retryWhileDatabaseDown(() => skillsOfRun(deps, run, signal), signal))
    const tools = toolDefinitions({ headless: run.headless, hasSkills: skills.length > 0 })
    const context = contextOf(state, { model, workingDirectory: deps.sandboxes.workingDirectory, skills })
    const opening = {
      runId: run.id,
      step,
      attempt,
      holder: deps.lock.processId,
      activityId,
      position: answer?.parts.length ?? 0,
      inputTokens: context.inputTokens,
      inputPrice: model.prices?.input,
      outputPrice: model.prices?.output,
    }
    // The model is asked only when the log is ours: after a stop was acknowledged no call begins.
    const opened = await recheckIfSlow(() => retryWhileDatabaseDown(() => openStep(db, opening), signal))
    notifier.wake(run.id)
    if (exceedsContext(state.input, context.neededInput))
      await retryWhileDatabaseDown(() => keepInput(db, run.id, context.neededInput), signal)
    const offered = new Set(tools.map((tool) => tool.name))
    const checkInput: CheckInput = (name, input) => (offered.has(name) ? parseToolInput(name, input) : undefined)
    const framer = createFramer({ step, attempt, newToolCallId, checkInput })
    const idempotencyKey = `${run.id}:${step}:${attempt}`
    const call = { idempotencyKey, modelId: run.modelId, prompt: context.prompt, tools }
    const { nextSeq, rest, folding, outcome } = await stream({ run, step, attempt }, call, framer, opened, signal)
    const costUsd = costOf(outcome.usage, outcome.costUsd, model.prices)
    const toolCalls = outcome.toolCalls
      .filter((call) => call.invalid !== true)
      .toSorted((a, b) => (a.toolCallId < b.toolCallId ? -1 : 1))
    const endings = [
      metadataFrame(context, run, outcome, costUsd),
      ...(toolCalls.length === 0 ? [{ type: 'finish-step' }] : []),
    ]
    for (const frame of endings) folding.lay(frame)
    const finished = {
      run,
      step,
      attempt,
      nextSeq,
      frames: [...rest, ...endings],
      folded: folding,
      metadata: answer?.metadata,
      modelId: run.modelId,
      finishReason: outcome.finishReason,
      rawFinishReason: outcome.rawFinishReason,
      usage: outcome.usage,
      costUsd,
      prices: model.prices,
      toolCalls,
    }
    await retryWhileDatabaseDown(() => db.begin((tx) => finishCall(tx, finished)), signal)
    notifier.wake(run.id)
    return resultOf(
      outcome.finishReason,
      toolCalls.map(({ toolCallId, toolName }) => ({ toolCallId, toolName })),
    )
  }

  /** Only what the model did counts among its attempts: not a worker that was lost or is leaving. */
  const toFailure = async (error: unknown, runId: string, step: number): Promise<unknown> => {
    if (error instanceof StaleWriter) return runClosed()
    if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error
    return modelFailed(error, await retryWhileDatabaseDown(() => countFailure(db, runId, step)))
  }

  const take = async ({ runId, step, restart = 0 }: StepIds): Promise<StepResult> => {
    const { activityId, attempt: tried } = Context.current().info
    const attempt = attemptNumber(restart, tried)
    try {
      return await withWorkerLock(deps, runId, async (signal) => {
        const state = await retryWhileDatabaseDown(() => readTurnState(db, runId, step), signal)
        if (state.result !== undefined) return state.result
        if (!state.open) throw new StaleWriter('the log is closed')
        return callModel({ attempt, activityId }, state, step, signal)
      })
    } catch (error) {
      // The end of the step may have been stored by a commit whose answer was lost.
      const stored =
        error instanceof StaleWriter ? await retryWhileDatabaseDown(() => findStepResult(db, runId, step)) : undefined
      if (stored !== undefined) return stored
      throw await toFailure(error, runId, step)
    }
  }
  return async (ids: StepIds): Promise<StepResult> => {
    const result = await take(ids)
    const usedNoTool = ids.step === 0 && result.finishReason !== 'tool-calls'
    const owes = usedNoTool && (await retryWhileDatabaseDown(() => owesCommit(db, ids.runId)))
    return owes ? { ...result, owesCommit: true } : result
  }
}
