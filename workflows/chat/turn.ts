import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { ModelFault } from '../../domain/chat/model-faults.ts'
import type { RunErrorText, StepResult, TurnEnd } from '../../domain/chat/turns.ts'
import { brief } from '../runtime/brief-work.ts'
import { heavyQueueOf, priorities } from '../messages.ts'
import type { RunTurnInput } from './messages.ts'
import { compactBefore } from './compact.ts'
import { isLong, slotsFor, type Slots } from './parallel-calls.ts'
import { commitAndPush, recordDiffAfter } from '../repositories/repositories.ts'
import { runSubAgent } from './sub-agent.ts'

const { beginTurn } = proxyActivities<Activities>({
  ...brief,
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
})

// The step itself counts what the model did wrong. These attempts are what lost and leaving workers may cost.
const { modelStep } = proxyActivities<Activities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '100ms', maximumInterval: '10s', maximumAttempts: 25 },
})

// The call itself counts its failures. These attempts are what a sandbox that starts and lost workers may cost.
const { executeTool } = proxyActivities<Activities>({
  startToCloseTimeout: '130s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '5s', maximumAttempts: 25 },
})

// It counts its own failures, as the provisioning of a turn does.
const { restoreFiles } = proxyActivities<Activities>({
  startToCloseTimeout: '3m',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '5s', maximumAttempts: 25 },
})

const { failTool, finaliseTurn } = proxyActivities<Activities>({
  ...brief,
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
})

const errorTexts: Record<string, RunErrorText> = {
  ModelFailed: 'The model call failed',
  SandboxFailed: 'The sandbox could not be started',
  RepositoryDenied: 'Access denied to this organization',
  RestoreFailed: 'The files could not be restored',
}

/** What a model was refused for, in words for the client. */
const faultTexts: Record<string, RunErrorText> = {
  image: 'The model refused an attachment of this chat',
  audio: 'The model refused an attachment of this chat',
  file: 'The model refused an attachment of this chat',
  reasoning: 'The model refused the history of this chat',
  tools: 'The model refused the history of this chat',
  policy: 'The model refused the content of this chat',
  length: 'The chat is too long for this model',
  'unknown-model': 'The model is not available',
} satisfies Record<ModelFault, RunErrorText>

/** The tool whose call is a sub-agent. */
const runsSubAgent = 'task'

/** Whether the turn may have changed something in its sandbox, or an earlier one has left something to be kept. */
type TurnEffects = { usedTools: boolean; owesCommit: boolean; compacted?: true }

/** The turn goes on at this step in a new history: this one has grown long. */
type Continuation = { reason: 'onward'; step: number }

/** One chat turn: model calls and tools until the model is done, then the one transaction that ends the run. */
export async function runTurn(turn: RunTurnInput): Promise<void> {
  // A turn that goes on in a new history has used tools in the one before.
  const effects = { usedTools: turn.step !== undefined, owesCommit: false }
  const end = await executeTurn(turn, effects)
  if (end.reason === 'onward') {
    const { limits: _, ...onward } = turn
    return continueAsNew<typeof runTurn>({ ...onward, step: end.step })
  }
  await CancellationScope.nonCancellable(() => finaliseTurn({ runId: turn.runId, end }))
  if (end.reason !== 'natural' && effects.usedTools) await recordDiffAfter(turn)
}

async function executeTurn(turn: RunTurnInput, effects: TurnEffects): Promise<TurnEnd | Continuation> {
  const { runId, limits } = turn
  try {
    const { live, headless, stepLimit, timeLimitMs } = limits
      ? { ...limits, live: true, headless: false }
      : await beginTurn({ runId })
    if (!live) return { reason: 'stopped' }
    const end = await withinTime(timeLimitMs, async () => {
      if (headless) await provisionTurn(runId)
      if (turn.restoresFiles === true && turn.step === undefined) await restoreFiles({ runId })
      return runSteps(turn, stepLimit, effects)
    })
    if (end.reason === 'natural' && (effects.usedTools || effects.owesCommit)) await commitAndPush(turn)
    return end
  } catch (error) {
    return endOfFailure(error)
  }
}

/** Runs `work` for at most `limitMs`; past that it is cancelled and the turn ends by the clock. */
async function withinTime<End>(limitMs: number, work: () => Promise<End>): Promise<End | TurnEnd> {
  let late = false
  try {
    return await CancellationScope.cancellable(async () => {
      const turn = CancellationScope.current()
      const clock = new CancellationScope()
      const endLate = async (): Promise<void> => {
        await sleep(limitMs)
        late = true
        turn.cancel()
      }
      clock.run(endLate).catch(() => {})
      try {
        return await work()
      } finally {
        clock.cancel()
      }
    })
  } catch (error) {
    if (late && isCancellation(error)) return { reason: 'time_limit' }
    throw error
  }
}

// It counts its own failures. These attempts are what lost and leaving workers may cost, as with model calls.
function provisionTurn(runId: string): Promise<void> {
  return proxyActivities<Activities>({
    taskQueue: heavyQueueOf(workflowInfo().taskQueue),
    priority: priorities.background,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 25 },
  }).provisionTurn({ runId })
}

async function runSteps(turn: RunTurnInput, stepLimit: number, effects: TurnEffects): Promise<TurnEnd | Continuation> {
  for (let step = turn.step ?? 0; step < stepLimit; step++) {
    const { finishReason, toolCalls, awaitsUser, owesCommit = false } = await callModel(turn, step, effects)
    if (toolCalls.length > 0) effects.usedTools = true
    if (owesCommit) effects.owesCommit = true
    const inSlot = slotsFor(toolCalls, runsSubAgent)
    await Promise.all(toolCalls.map((call) => runTool(turn, call, inSlot)))
    if (awaitsUser) return { reason: 'awaiting_user' }
    if (finishReason !== 'tool-calls') return { reason: 'natural', finishReason }
    if (isLong(toolCalls, runsSubAgent)) return { reason: 'onward', step: step + 1 }
  }
  return { reason: 'step_limit' }
}

/** One model call. A history that nearly fills the window is summarised before it, once. */
async function callModel({ runId, restart }: RunTurnInput, step: number, effects: TurnEffects): Promise<StepResult> {
  const result = await modelStep({ runId, restart, step, compacts: effects.compacted !== true })
  if (result.needsCompaction !== true) return result
  effects.compacted = true
  await compactBefore({ runId, step })
  return modelStep({ runId, restart, step })
}

/** A tool that fails is an answer for the model and not the end of the turn; a cancelled one is the end. */
async function runTool(
  turn: RunTurnInput,
  { toolCallId, toolName }: StepResult['toolCalls'][number],
  inSlot: Slots,
): Promise<void> {
  if (toolName === runsSubAgent) return runSubAgent(turn, toolCallId, inSlot)
  const { runId, restart } = turn
  try {
    await inSlot(() => executeTool({ runId, toolCallId, restart }))
  } catch (error) {
    if (isCancellation(error)) throw error
    await failTool({ runId, toolCallId })
  }
}

/** What a failure that left the story means for the client; its own text stays in the engine. */
function endOfFailure(error: unknown): TurnEnd {
  if (isCancellation(error)) return { reason: 'stopped' }
  const cause = error instanceof ActivityFailure ? error.cause : error
  const type = cause instanceof ApplicationFailure ? (cause.type ?? '') : ''
  const lostModel = error instanceof ActivityFailure && error.activityType === 'modelStep' && type !== 'InternalFault'
  const fault = type === 'ModelFailed' && cause instanceof ApplicationFailure ? String(cause.details?.[0]) : ''
  return {
    reason: 'error',
    errorText: faultTexts[fault] ?? errorTexts[type] ?? (lostModel ? 'The model call failed' : 'Internal error'),
  }
}
