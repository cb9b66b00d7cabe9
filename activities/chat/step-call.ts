import { abandonAttempt, type OpenedStep } from '../../db/log/attempts.ts'
import { StaleWriter, type RunWriter } from '../../db/log/writer.ts'
import { recheckIfSlow } from '../../db/postgres/retry.ts'
import type { Run } from '../../db/runs/runs.ts'
import { keepInput, type TurnState } from '../../db/turns/context.ts'
import { insertRefusal } from '../../db/turns/refusals.ts'
import { finishCall, resultOf } from '../../db/turns/steps/step-end.ts'
import { openStep } from '../../db/turns/steps/step.ts'
import { approvalRules } from '../../domain/chat/approvals.ts'
import type { RequestMessage } from '../../domain/chat/messages.ts'
import { isRefusedKind } from '../../domain/chat/model-faults.ts'
import { holds } from '../../domain/chat/prompt/refused.ts'
import { isNearlyFull } from '../../domain/chat/prompt/compaction.ts'
import type { StepResult } from '../../domain/chat/turns.ts'
import { addUsage, costOf } from '../../domain/credits/usage.ts'
import { newApprovalId, newToolCallId } from '../../domain/fields/ids.ts'
import { Folding } from '../../domain/log/fold.ts'
import { createFramer, type Frame, type Framer, type ModelOutcome } from '../../domain/log/frames.ts'
import type { CheckInput } from '../../domain/tools/inputs.ts'
import type { Skill } from '../../domain/tools/skills.ts'
import { parseToolInput, toolDefinitions } from '../../domain/tools/tools.ts'
import { ModelError, type ModelCall, type ModelDescription, type ModelPart } from '../../providers/model/index.ts'
import type { ActivityDeps } from '../deps.ts'
import { contextOf, type TurnContext } from './context.ts'
import { failureWeight, modelFailed, readAnswer, requestedWaitMs, startClock, validCalls } from './model-call.ts'

/** Who makes a model call of a turn, and within what. */
export type Caller = {
  step: number
  attempt: number
  activityId: string
  /** Whether a history that nearly fills the window is to be summarised before the call. */
  compacts: boolean
  /** How long the call may take. */
  callMs: number
  signal: AbortSignal
  /** True once this worker is to leave the call to another. */
  isLeaving: () => boolean
  /** Called once the log is this attempt's. */
  onOpened?: () => void
}

type Answer = { nextSeq: number; rest: Frame[]; folding: Folding; outcome: ModelOutcome }

export type CallDeps = Pick<
  ActivityDeps,
  'db' | 'lock' | 'log' | 'models' | 'notifier' | 'sandboxes' | 'settings' | 'writer'
>

/**
 * One attempt at one model call of a turn: opens the step in the log, streams the answer into it and stores its end. The
 * fence refuses every append of an attempt that was replaced. Throws a call that failed by itself as it is told to the
 * engine, and counted.
 */
export function createStepCall(deps: CallDeps) {
  const { db, models, writer, notifier } = deps

  const wantsCompaction = (state: TurnState, context: TurnContext, model: ModelDescription): boolean =>
    (state.autoCompact ?? deps.settings.autoCompact ?? false) &&
    context.hasEarlierTurns &&
    isNearlyFull(context.historyTokens, model, state.run.contextLimit)

  /** What one attempt at one model call came to. Frames that are not yet on their way to the log are left to the caller. */
  const stream = async (
    { run, shown }: { run: Run; shown: TurnContext['shown'] },
    { step, attempt, callMs, signal, isLeaving }: Caller,
    call: ModelCall,
    framer: Framer,
    at: OpenedStep,
  ): Promise<Answer> => {
    const clock = startClock(callMs)
    const appender = writer.open({ runId: run.id, ...at })
    try {
      const parts = models.stream(call, AbortSignal.any([signal, appender.stale, clock.signal]))
      return await write(parts, framer, appender)
    } catch (cause) {
      appender.stale.throwIfAborted()
      if (signal.reason instanceof StaleWriter) throw signal.reason
      // What the client already saw of a failed attempt is retracted by the next one; it must be in the log for that.
      await appender.drain()
      const reason = isLeaving() ? 'worker_lost' : clock.signal.aborted ? 'timeout' : 'model_error'
      const failed = reason !== 'worker_lost' && !signal.aborted
      const error = failed ? await withoutOffence(cause, run, shown) : cause
      const weight = failed ? failureWeight(error) : 0
      const retryAfterMs = requestedWaitMs(error)
      const abandonment = { runId: run.id, step, fence: at.fence, reason, weight, retryAfterMs, ...faultIn(error) }
      const failures = await abandonAttempt(db, abandonment)
      if (reason !== 'worker_lost') deps.log.warn({ runId: run.id, step, attempt, err: error }, 'model call failed')
      throw failed ? modelFailed(error, failures) : error
    } finally {
      clock.stop()
      appender.close()
    }
  }

  /** A refusal of content that the prompt can do without is kept, and is worth another attempt: that one is made without. */
  const withoutOffence = async (error: unknown, run: Run, shown: TurnContext['shown']): Promise<unknown> => {
    const throughId = shown.at(-1)?.id
    if (!(error instanceof ModelError) || !isRefusedKind(error.fault) || throughId === undefined) return error
    const { fault: kind, message, detail } = error
    if (!holds(shown, kind)) return error
    await insertRefusal(db, { chatId: run.chatId, modelId: run.modelId, kind, throughId })
    return new ModelError(message, { retryable: true, cause: error, fault: kind, detail })
  }

  const write = async (parts: AsyncIterable<ModelPart>, framer: Framer, appender: RunWriter): Promise<Answer> => {
    const folding = new Folding()
    folding.lay({ type: 'start-step' })
    const outcome = await readAnswer(parts, framer, {
      maxWeight: deps.settings.modelOutputLimit,
      put: (frames) => {
        for (const frame of frames) {
          folding.lay(frame)
          appender.push(frame)
        }
        return appender.full()
      },
    })
    return { ...(await appender.settle()), folding, outcome }
  }

  return async (caller: Caller, state: TurnState, skills: readonly Skill[]): Promise<StepResult> => {
    const { step, attempt, activityId, compacts } = caller
    const { run, answer } = state
    const model = await models.describe(run.modelId)
    const tools = toolDefinitions({ headless: run.headless, hasSkills: skills.length > 0 })
    const context = contextOf(state, { model, workingDirectory: deps.sandboxes.workingDirectory, skills })
    if (compacts && wantsCompaction(state, context, model)) return needsCompaction
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
    const opened = await recheckIfSlow(() => openStep(db, opening))
    caller.onOpened?.()
    notifier.wake(run.id)
    if (exceedsContext(state.input, context.neededInput)) await keepInput(db, run.id, context.neededInput)
    const offered = new Set(tools.map((tool) => tool.name))
    const checkInput: CheckInput = (name, input) => (offered.has(name) ? parseToolInput(name, input) : undefined)
    const rules = approvalRules(state.approvals, run)
    const framer = createFramer({ step, attempt, newToolCallId, checkInput: rules.checked(checkInput) })
    const idempotencyKey = `${run.id}:${step}:${attempt}`
    const call = { idempotencyKey, modelId: run.modelId, prompt: context.prompt, tools }
    const { nextSeq, rest, folding, outcome } = await stream(
      { run, shown: context.shown },
      caller,
      call,
      framer,
      opened,
    )
    const costUsd = costOf(outcome.usage, outcome.costUsd, model.prices)
    const toolCalls = validCalls(outcome).map((call) => ({ ...call, ...approvalOf(call, outcome, rules) }))
    const endings = [
      ...toolCalls.flatMap(({ toolCallId, approvalId }) =>
        approvalId === undefined ? [] : [{ type: 'tool-approval-request', approvalId, toolCallId }],
      ),
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
      goesOn: outcome.goesOn,
      usage: outcome.usage,
      costUsd,
      prices: model.prices,
      toolCalls,
      waitSeconds: rules.waitSeconds,
    }
    await finishCall(db, finished)
    notifier.wake(run.id)
    return resultOf(
      outcome,
      toolCalls.map(({ toolCallId, toolName, approval }) => ({ toolCallId, toolName, approval })),
    )
  }
}

function faultIn(error: unknown): { fault?: string | undefined; detail?: string | undefined } {
  return error instanceof ModelError ? { fault: error.fault, detail: error.detail } : {}
}

const needsCompaction: StepResult = { finishReason: 'other', toolCalls: [], awaitsUser: false, needsCompaction: true }

/** Set for a call that is to be executed and waits for a person to approve it. */
function approvalOf(
  call: ModelOutcome['toolCalls'][number],
  { goesOn }: ModelOutcome,
  { asksFor }: Pick<ReturnType<typeof approvalRules>, 'asksFor'>,
): { approvalId?: string; approval?: 'requested' } {
  return goesOn && asksFor(call) ? { approvalId: newApprovalId(), approval: 'requested' } : {}
}

/** Worth a write: more than half of what each step would read can never be told to the model. */
function exceedsContext(input: readonly RequestMessage[], needed: readonly RequestMessage[]): boolean {
  return needed.length < input.length && 2 * JSON.stringify(needed).length < JSON.stringify(input).length
}

function metadataFrame(context: TurnContext, run: Run, outcome: ModelOutcome, costUsd: number) {
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
