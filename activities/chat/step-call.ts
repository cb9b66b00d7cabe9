import { abandonAttempt, type OpenedStep } from '../../db/log/attempts.ts'
import { StaleWriterError, type RunWriter } from '../../db/log/writer.ts'
import { recheckIfSlow } from '../../db/postgres/retry.ts'
import type { Run } from '../../db/runs/runs.ts'
import { storeInput, type TurnState } from '../../db/turns/context.ts'
import { insertRefusal } from '../../db/turns/refusals.ts'
import { finishCall, toStepResult } from '../../db/turns/steps/step-end.ts'
import { openStep } from '../../db/turns/steps/step.ts'
import type { ToolResult } from '../../db/turns/steps/tool.ts'
import type { Holder } from '../../db/turns/take-turn.ts'
import { approvalRules, stricterApprovals } from '../../domain/chat/approvals.ts'
import type { RequestMessage, StoredMessage } from '../../domain/chat/messages.ts'
import { isRefusedKind } from '../../domain/chat/model-rejections.ts'
import { containsKind } from '../../domain/chat/prompt/refused.ts'
import { isNearlyFull } from '../../domain/chat/prompt/compaction.ts'
import { addUsage, computeCost } from '../../domain/credits/usage.ts'
import { newApprovalId, newToolCallId } from '../../domain/fields/ids.ts'
import { Folding } from '../../domain/log/fold.ts'
import { createFramer, type Frame, type Framer, type ModelOutcome } from '../../domain/log/frames.ts'
import type { Skill } from '../../domain/tools/skills.ts'
import { ModelError, type ModelCall, type ModelDescription, type PartHandler } from '../../providers/model/index.ts'
import { buildContext, type TurnContext } from './context.ts'
import { startTimeout } from '../runtime/timeout.ts'
import { maxConcurrentCalls } from './tool-calls.ts'
import { offerTools, startsWithStep } from '../tools/index.ts'
import {
  callTimeoutMs,
  failureWeight,
  ModelCallError,
  readModelStream,
  requestedWaitMs,
  validCalls,
} from './model-call.ts'
import type { TurnDeps } from './working.ts'

/** Output of the last tool call of the previous step, until it is stored. */
export type UnstoredOutput = { result: ToolResult | undefined }

/** Context of a model call: the batch that makes it, and its options. */
export type CallContext = Holder & {
  batch: number
  /** Output to store when the step opens. */
  unstored: UnstoredOutput
  /** True once the batch must end after its current step. */
  isSpent: () => boolean
  /** Number of the first attempt at step 0. */
  firstAttempt: number
  /** Whether a history that nearly fills the context window is summarized before the call. */
  mayCompact: boolean
  /** Whether messages that wait to join the turn are added before the call. */
  yieldsToSteering: boolean
  signal: AbortSignal
  /** True once this worker is shutting down and another worker must make the call. */
  isLeaving: () => boolean
  /** True if the call starts a queued run. */
  startsRun: () => boolean
}

/** The state of the turn after its model call, or the reason why no call was made. */
export type ModelCallResult = TurnState | 'steered' | 'ended' | 'compact'

type StepResult = {
  nextSeq: number
  rest: Frame[]
  folding: Folding
  outcome: ModelOutcome
  firstOutputMs: number | undefined
}
type Attempt = { run: Run; step: number; attempt: number; promptMessages: TurnContext['promptMessages'] }

/**
 * Returns a function that makes one attempt at a model call of a turn. It opens the step in the log, streams the output into
 * the log and stores the result.
 * The fence rejects every append of an attempt that was replaced. Rejects with `ModelCallError` when the model fails;
 * the failure is counted.
 */
export function createStepCall(deps: TurnDeps) {
  const { db, models, writer, notifier } = deps

  const wantsCompaction = (state: TurnState, context: TurnContext, model: ModelDescription): boolean =>
    (state.autoCompact ?? deps.settings.autoCompact ?? false) &&
    context.hasEarlierTurns &&
    isNearlyFull(context.historyTokens, model, state.run.contextLimit)

  /** Streams the output of one call to the log. Returns the remaining frames, which the caller appends. */
  const stream = async (
    { run, step, attempt, promptMessages }: Attempt,
    { signal, isLeaving }: Pick<CallContext, 'signal' | 'isLeaving'>,
    call: ModelCall,
    framer: Framer,
    openedStep: OpenedStep,
  ): Promise<StepResult> => {
    const appender = writer.open({ runId: run.id, ...openedStep })
    const timeout = startTimeout(callTimeoutMs, 'the model call took too long', signal, appender.stale)
    try {
      return await write((onPart) => models.stream(call, timeout.signal, onPart), framer, appender)
    } catch (cause) {
      appender.stale.throwIfAborted()
      if (signal.reason instanceof StaleWriterError) throw signal.reason
      // The next attempt retracts the output that clients have received, so the log must contain that output.
      await appender.drain()
      const reason = isLeaving() ? 'worker_lost' : timeout.hasExpired() ? 'timeout' : 'model_error'
      const hasFailed = !signal.aborted
      const error = hasFailed ? await recordRefusal(cause, run, promptMessages) : cause
      const weight = hasFailed ? failureWeight(error) : 0
      const retryAfterMs = requestedWaitMs(error)
      const abandonment = {
        runId: run.id,
        step,
        fence: openedStep.fence,
        reason,
        weight,
        retryAfterMs,
        ...describeError(error),
      }
      await abandonAttempt(db, abandonment)
      if (reason !== 'worker_lost') deps.log.warn({ runId: run.id, step, attempt, err: error }, 'model call failed')
      throw hasFailed ? new ModelCallError('the model call failed', { cause: error }) : error
    } finally {
      timeout.stop()
      appender.close()
    }
  }

  /**
   * Returns the error of the call. If the provider refused content that the prompt can omit, stores the refusal and makes the
   * error retryable: the next attempt omits that content.
   */
  const recordRefusal = async (error: unknown, run: Run, messages: TurnContext['promptMessages']): Promise<unknown> => {
    const throughId = messages.at(-1)?.id
    if (!(error instanceof ModelError) || !isRefusedKind(error.rejection) || throughId === undefined) return error
    const { rejection: kind, message, detail } = error
    if (!containsKind(messages, kind)) return error
    await insertRefusal(db, { chatId: run.chatId, modelId: run.modelId, kind, throughId })
    return new ModelError(message, { retryable: true, cause: error, rejection: kind, detail })
  }

  const write = async (
    output: (onPart: PartHandler) => Promise<void>,
    framer: Framer,
    appender: RunWriter,
  ): Promise<StepResult> => {
    const folding = new Folding()
    folding.apply({ type: 'start-step' })
    const startedAt = performance.now()
    let firstOutputMs: number | undefined
    const outcome = await readModelStream(output, framer, {
      maxWeight: deps.settings.modelOutputLimit,
      onFrames: (frames, part) => {
        if (part !== undefined && 'delta' in part) firstOutputMs ??= Math.round(performance.now() - startedAt)
        for (const frame of frames) {
          folding.apply(frame)
          appender.push(frame)
        }
        return appender.waitForRoom()
      },
    })
    return { ...(await appender.settle()), folding, outcome, firstOutputMs }
  }

  return async (state: TurnState & { skills: Skill[] }, ctx: CallContext): Promise<ModelCallResult> => {
    const { run, step, answer, skills } = state
    const firstAttempt = step === 0 ? ctx.firstAttempt : 1
    // A failed head start is attempt 0 but counts as one failure, so the attempt after it is 2.
    const attempt = state.attempt === undefined ? firstAttempt : Math.max(state.attempt, state.failures) + 1
    const model = await models.describe(run.modelId)
    const tools = offerTools({ isSubAgent: false, headless: run.headless, hasSkills: skills.length > 0 })
    const context = buildContext(state, { model, workingDirectory: deps.sandboxes.workingDirectory, skills })
    if (ctx.mayCompact && wantsCompaction(state, context, model)) return 'compact'
    ctx.signal.throwIfAborted()
    const opening = {
      runId: run.id,
      batch: ctx.batch,
      step,
      attempt,
      position: answer?.parts.length ?? 0,
      inputTokens: context.inputTokens,
      inputPrice: model.prices?.input,
      outputPrice: model.prices?.output,
      begins: ctx.startsRun(),
      yieldsToSteering: ctx.yieldsToSteering,
      output: ctx.unstored.result,
    }
    // Opens the step before the model call, so that no call starts after a stop was acknowledged.
    const openedStep = await recheckIfSlow(() => openStep(db, opening))
    ctx.unstored.result = undefined
    if (typeof openedStep === 'string') return openedStep
    notifier.wakeSoon(run.id)
    const trimsInput = isMostlyUnneeded(state.input, context.neededInput)
    if (trimsInput) await storeInput(db, run.id, context.neededInput)
    const rules = approvalRules(stricterApprovals(openedStep.approvals, run.inherited?.approvals ?? null), run)
    const framer = createFramer({ step, attempt, newToolCallId, checkInput: rules.withApprovalCheck(tools.checkInput) })
    const idempotencyKey = `${run.id}:${step}:${attempt}`
    const call = { idempotencyKey, modelId: run.modelId, prompt: context.prompt, tools: tools.definitions }
    const attemptContext = { run, step, attempt, promptMessages: context.promptMessages }
    const result = await stream(attemptContext, ctx, call, framer, openedStep)
    const { nextSeq, rest, folding, outcome, firstOutputMs } = result
    const costUsd = computeCost(outcome.usage, outcome.costUsd, model.prices)
    const toolCalls = validCalls(outcome).map((call) => ({ ...call, ...createApproval(call, outcome, rules) }))
    const endFrames = [
      ...toolCalls.flatMap(({ toolCallId, approvalId }) =>
        approvalId === undefined ? [] : [{ type: 'tool-approval-request', approvalId, toolCallId }],
      ),
      metadataFrame(context, run, outcome, costUsd),
      ...(toolCalls.length === 0 ? [{ type: 'finish-step' }] : []),
    ]
    for (const frame of endFrames) folding.apply(frame)
    const startsCalls =
      outcome.goesOn &&
      !ctx.isSpent() &&
      toolCalls.length <= maxConcurrentCalls &&
      toolCalls.every((call) => call.approvalId === undefined && startsWithStep(call.toolName, call.input))
    const isStarted = await finishCall(db, {
      run,
      step,
      attempt,
      nextSeq,
      frames: [...rest, ...endFrames],
      folded: folding,
      metadata: answer && (answer.metadata ?? {}),
      replaces: state.attempt !== undefined,
      modelId: run.modelId,
      finishReason: outcome.finishReason,
      rawFinishReason: outcome.rawFinishReason,
      goesOn: outcome.goesOn,
      usage: outcome.usage,
      firstOutputMs,
      costUsd,
      prices: model.prices,
      toolCalls,
      startedBy: startsCalls ? { holder: ctx.holder, activityId: ctx.activityId, batch: ctx.batch } : undefined,
      waitSeconds: rules.waitSeconds,
    })
    notifier.wake(run.id)
    const calls = toolCalls.map((call) => ({ ...call, attempts: 0, isStarted, isEnded: false }))
    return {
      ...state,
      attempt,
      input: trimsInput ? [...context.neededInput] : state.input,
      answer: appendOutput(state, folding),
      result: toStepResult(outcome, calls),
    }
  }
}

/** Returns the message of the turn with the output of its model call, in the form in which the store returns it. */
function appendOutput({ run, answer }: TurnState, { parts, metadata }: Folding): StoredMessage {
  return {
    id: run.assistantMessageId,
    role: 'assistant',
    parts: [...(answer?.parts ?? []), ...(JSON.parse(JSON.stringify(parts)) as StoredMessage['parts'])],
    metadata: { ...answer?.metadata, ...metadata },
  }
}

function describeError(error: unknown): { rejection?: string | undefined; detail?: string | undefined } {
  return error instanceof ModelError ? { rejection: error.rejection, detail: error.detail } : {}
}

/** Returns the approval of a tool call that must be executed and waits for approval; an empty object for any other call. */
function createApproval(
  call: ModelOutcome['toolCalls'][number],
  { goesOn }: ModelOutcome,
  { requestsApproval }: Pick<ReturnType<typeof approvalRules>, 'requestsApproval'>,
): { approvalId?: string; approval?: 'requested' } {
  return goesOn && requestsApproval(call) ? { approvalId: newApprovalId(), approval: 'requested' } : {}
}

/** True when more than half of the stored input can never reach the model again, so that rewriting it saves space. */
function isMostlyUnneeded(input: readonly RequestMessage[], needed: readonly RequestMessage[]): boolean {
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
