import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity'
import type { Run } from '../../db/runs.ts'
import { whenDatabaseIsBack } from '../../db/persist.ts'
import { readRun } from '../../db/runs.ts'
import { markAbandoned } from '../../db/stream.ts'
import { StaleWriter } from '../../db/stream-writer.ts'
import { finishCall, findStepResult, openStep } from '../../db/turns/step.ts'
import { createFramer } from '../../domain/frames.ts'
import type { CheckInput, Framer, ModelOutcome } from '../../domain/frames.ts'
import { newToolCallId } from '../../domain/ids.ts'
import { parseToolInput, toolDefinitions, waitsForUser } from '../../domain/tools.ts'
import type { StepResult } from '../../domain/turns.ts'
import { addUsage, costOf } from '../../domain/usage.ts'
import { ModelError } from '../../providers/model/index.ts'
import type { ModelCall } from '../../providers/model/index.ts'
import type { ActivityDeps } from '../deps.ts'
import { runClosed } from './closed.ts'
import { loadContext } from './context.ts'
import type { TurnContext } from './context.ts'
import { whileWorking } from './working.ts'

type Attempt = { run: Run; step: number; attempt: number }

const pauseBeforeRetry = (attempt: number): number => Math.min(1000 * 2 ** (attempt - 1), 10_000)

/** How a failed model call is told to the engine: what may help again, and after which pause. */
const toFailure = (error: unknown, attempt: number): unknown => {
  if (error instanceof StaleWriter) return runClosed()
  if (error instanceof CancelledFailure) return error
  const retryable = !(error instanceof ModelError) || error.retryable
  const wait = error instanceof ModelError ? error.retryAfterMs : undefined
  return ApplicationFailure.create({
    type: 'ModelFailed',
    message: 'the model call failed',
    nonRetryable: !retryable,
    nextRetryDelay: Math.max(pauseBeforeRetry(attempt), Math.min(wait ?? 0, 60_000)),
  })
}

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

/**
 * One model call of a turn. Safe to run again: a step whose end is stored is answered from the store, frames that an
 * abandoned attempt left are retracted, and the fence refuses every append of an attempt that was replaced.
 */
export const createModelStep = (deps: ActivityDeps) => {
  const { db, models, writer, notifier } = deps

  const stream = async (
    { run, step, attempt }: Attempt,
    call: ModelCall,
    framer: Framer,
    at: { nextSeq: number; fence: number },
    signal: AbortSignal,
  ): Promise<{ nextSeq: number; outcome: ModelOutcome }> => {
    const pen = writer.open({ runId: run.id, ...at })
    try {
      for await (const part of models.stream(call, AbortSignal.any([signal, pen.stale]))) {
        for (const frame of framer.push(part)) pen.push(frame)
        await pen.ready()
      }
      const { frames, outcome } = framer.end()
      for (const frame of frames) pen.push(frame)
      return { nextSeq: await pen.drain(), outcome }
    } catch (error) {
      pen.stale.throwIfAborted()
      // What the client already saw of a failed attempt is retracted by the next one; it must be in the log for that.
      await pen.drain()
      const late = Context.current().cancellationDetails?.timedOut === true
      await markAbandoned(db, run.id, at.fence, late ? 'timeout' : 'model_error')
      deps.log.warn({ runId: run.id, step, attempt, err: error }, 'model call failed')
      throw error
    } finally {
      pen.close()
    }
  }

  const callModel = async (turn: Attempt, activityId: string, signal: AbortSignal) => {
    const { run, step, attempt } = turn
    const model = models.describe(run.modelId)
    const tools = toolDefinitions({ headless: run.headless })
    const options = { model, workingDirectory: deps.sandboxes.workingDirectory }
    const context = await whenDatabaseIsBack(() => loadContext(db, run, options), signal)
    const opening = {
      runId: run.id,
      step,
      attempt,
      holder: deps.lock.processId,
      activityId,
      inputTokens: context.inputTokens,
      inputPrice: model.inputPrice,
      outputPrice: model.outputPrice,
    }
    const opened = await whenDatabaseIsBack(() => db.begin((tx) => openStep(tx, opening)), signal)
    notifier.wake(run.id)
    const offered = new Set(tools.map((tool) => tool.name))
    const checkInput: CheckInput = (name, input) => (offered.has(name) ? parseToolInput(name, input) : undefined)
    const framer = createFramer({ step, attempt, newToolCallId, checkInput })
    const idempotencyKey = `${run.id}:${step}:${attempt}`
    const call = { idempotencyKey, modelId: run.modelId, prompt: context.prompt, tools }
    const { nextSeq, outcome } = await stream(turn, call, framer, opened, signal)
    const costUsd = costOf(outcome.usage, outcome.costUsd, model)
    const toolCalls = outcome.toolCalls.filter((call) => call.invalid !== true)
    const finished = {
      runId: run.id,
      step,
      attempt,
      nextSeq,
      frames: [
        metadataFrame(context, run, outcome, costUsd),
        ...(toolCalls.length === 0 ? [{ type: 'finish-step' }] : []),
      ],
      modelId: run.modelId,
      finishReason: outcome.finishReason,
      rawFinishReason: outcome.rawFinishReason,
      usage: outcome.usage,
      costUsd,
      toolCalls,
    }
    await whenDatabaseIsBack(() => db.begin((tx) => finishCall(tx, finished)), signal)
    notifier.wake(run.id)
  }

  return async ({ runId, step }: { runId: string; step: number }): Promise<StepResult> => {
    const { activityId, attempt } = Context.current().info
    const findResult = () => whenDatabaseIsBack(() => findStepResult(db, runId, step, waitsForUser))
    const done = await findResult()
    if (done !== undefined) return done
    try {
      await whileWorking(deps, runId, async (signal) => {
        const run = await whenDatabaseIsBack(() => readRun(db, runId), signal)
        await callModel({ run, step, attempt }, activityId, signal)
      })
    } catch (error) {
      // The end of the step may have been stored by a commit whose answer was lost.
      const stored = error instanceof StaleWriter ? await findResult() : undefined
      if (stored !== undefined) return stored
      throw toFailure(error, attempt)
    }
    const result = await findResult()
    if (result === undefined) throw ApplicationFailure.nonRetryable('the step left no result', 'InternalFault')
    return result
  }
}
