import { countFailure } from '../../db/log/attempts.ts'
import { StaleWriterError } from '../../db/log/writer.ts'
import { advanceRun } from '../../db/runs/runs.ts'
import { releaseTurn, takeTurn, type Claim, type TurnBatch } from '../../db/turns/take-turn.ts'
import { readTurnState, type TurnState } from '../../db/turns/context.ts'
import { joinTurn } from '../../db/turns/queue/steer.ts'
import { reuseSessionSkills } from '../../db/turns/skills.ts'
import { announceLoss } from '../../db/turns/sandbox-loss.ts'
import { finishToolCall, releaseToolCall, startToolCall, type ToolResult } from '../../db/turns/steps/tool.ts'
import { maxPauseMs, pauseBeforeRetry, remainingPause } from '../../domain/chat/pauses.ts'
import { withOutputs } from '../../domain/chat/sub-agent.ts'
import { limitsFrom } from '../../domain/runs/origin.ts'
import { fileTools, subAgentTool } from '../../domain/tools/turn-tools.ts'
import {
  headStartAttempt,
  maxFailures,
  modelErrorText,
  type TurnAction,
  type OpenCall,
  type StepResult,
  type TurnEnd,
} from '../../domain/chat/turns.ts'
import { sleep } from '../runtime/sleep.ts'
import { findRunSkills } from '../skills/run-skills.ts'
import type { Batch, Batches } from './batches.ts'
import { ModelCallError } from './model-call.ts'
import { createStepCall, type UnstoredOutput } from './step-call.ts'
import { createToolCalls } from './tool-calls.ts'
import { createTurnEnding } from './turn-ending.ts'
import { createTakeoverFailure, type TurnDeps } from './working.ts'

/** A process that is silent for this long is considered lost. */
const maxSilenceMs = 5000

/** Options of a batch of a turn. */
export type TurnBatchOptions = {
  activityId: string
  claim: Claim
  /** True once the history before the turn has been summarized as far as possible. */
  compacted?: boolean | undefined
  /** True if the batch executes only the tool calls of the newest step that are not sub-agents. */
  besideSubAgents?: boolean | undefined
}

/** Context of one batch of a turn. `timeLimit` aborts when the time limit of the turn is reached. */
type BatchContext = TurnBatch & {
  batchRun: Batch
  options: TurnBatchOptions
  signal: AbortSignal
  timeLimit: AbortController
  /** Output of the last tool call of the previous step. It is stored by the statement that opens the next step. */
  unstored: UnstoredOutput
  end: (state: TurnState, end: TurnEnd) => Promise<TurnAction>
}

/**
 * Options of a head start. `activityId`: if the process is lost, the loss is reported for the turn's first activity, which
 * has not arrived yet.
 */
export const headStartOptions: TurnBatchOptions = { activityId: '1', claim: 'new' }

/**
 * Advances a turn by the steps of one batch: model call, tools, next model call. The state is in Postgres, where the batch
 * number ensures that only one loop across all processes can open a step or start a tool. A loop can therefore stop at any
 * point, and a loop in another process continues without repeating finished work.
 */
export function createTurnLoop(deps: TurnDeps, batches: Pick<Batches, 'follow'>) {
  const { db, lock, notifier, log } = deps
  const callModel = createStepCall(deps)
  const ending = createTurnEnding(deps)
  const storeOutput = async (result: ToolResult): Promise<void> => {
    await finishToolCall(db, result)
    // Readers receive the output with the next frames, at most ten milliseconds later.
    notifier.wakeSoon(result.runId)
  }
  const executeCalls = createToolCalls(deps, {
    start: (attempt) => startToolCall(db, attempt),
    release: (attempt) => releaseToolCall(db, attempt),
    store: storeOutput,
  })

  const storeUnstored = async ({ unstored }: BatchContext): Promise<void> => {
    if (unstored.result !== undefined) await storeOutput(unstored.result)
    unstored.result = undefined
  }

  /**
   * Claims the turn once no other process runs it, or once the other process has been silent for `maxSilenceMs`. Returns
   * undefined when the turn is closed, or when a head start finds it claimed.
   */
  const claimTurn = async (runId: string, { activityId, claim }: TurnBatchOptions, batchRun: Batch) => {
    const other = batches.follow(runId)
    const ids = { runId, holder: lock.processId, activityId }
    let hasWaited = false
    try {
      for (let currentClaim = claim; ; currentClaim = other.silentMs() > maxSilenceMs ? 'any' : claim) {
        const result = await takeTurn(db, { ...ids, claim: currentClaim, detectsDead: lock.settled() })
        if (result === 'closed') {
          // The process that ended a turn knows of its activity if the activity waited for it.
          if (claim !== 'new' && !hasWaited && !batchRun.hadHeadStart) notifier.turnArrived(runId)
          return undefined
        }
        if ('batch' in result) {
          batchRun.hold()
          return { ...ids, ...result }
        }
        if (claim === 'new') return undefined
        if (!hasWaited) await advanceRun(db, runId)
        hasWaited = true
        await other.waitForUpdate(result.heldBy, batchRun.signal)
      }
    } finally {
      other.close()
    }
  }

  /** Counts a failure of a step, unless the model call already counted it or the result of the step is stored. */
  const countCallFailure = async (
    { runId, batch, signal }: BatchContext,
    step: number,
    error: unknown,
  ): Promise<void> => {
    if (error instanceof ModelCallError) return
    signal.throwIfAborted()
    if (error instanceof StaleWriterError) {
      // The commit may have ended the step even though its response was lost.
      const storedState = await readTurnState(db, runId, step)
      if (storedState.open && storedState.batch === batch && storedState.result !== undefined) return
      throw error
    }
    log.warn({ runId, step, err: error }, 'a step failed')
    const failures = await countFailure(db, runId, step)
    if (failures < maxFailures) await sleep(pauseBeforeRetry(failures), signal)
  }

  /** Announces a loss of the sandbox's files before the model continues without them. */
  const announceIfLost = async (state: TurnState): Promise<TurnState> => {
    const { loss, run, step } = state
    if (loss === undefined) return state
    if (await db.begin((tx) => announceLoss(tx, run.id, loss))) notifier.wake(run.id)
    return readTurnState(db, run.id, step)
  }

  /** Makes one attempt at the model call of a step. Steering messages join the turn before the call. */
  const attemptCall = async (state: TurnState, run: BatchContext) => {
    const { step, attempt } = state
    const { runId, batch, batchRun, options, signal } = run
    const context = {
      ...run,
      firstAttempt: options.claim === 'new' ? headStartAttempt : 1,
      mayCompact: options.compacted !== true,
      signal,
      isLeaving: () => batchRun.isLeaving(),
      isSpent: () => batchRun.isSpent(),
      startsRun: () => batchRun.isJoined(),
    }
    const skills = state.skills ?? (await findRunSkills(deps, state.run, signal))
    const current = await announceIfLost(state)
    const callResult = await callModel({ ...current, skills }, { ...context, yieldsToSteering: attempt === undefined })
    if (callResult !== 'steered') return callResult
    await db.begin((tx) => joinTurn(tx, { runId, step, batch }))
    notifier.wake(runId)
    return callModel({ ...(await readTurnState(db, runId, step)), skills }, { ...context, yieldsToSteering: false })
  }

  /** Makes one model call and returns the new state, or returns what the workflow must do instead. */
  const advanceModelCall = async (
    state: TurnState,
    run: BatchContext,
    stepLimit: number,
  ): Promise<TurnState | TurnAction> => {
    const { step, failures, failedCall } = state
    if (step >= stepLimit) return run.end(state, { reason: 'step_limit' })
    if (failures >= maxFailures) return run.end(state, { reason: 'error', errorText: modelErrorText(state.rejection) })
    const pauseMs = failedCall === undefined ? 0 : remainingPause(failedCall, failures)
    if (pauseMs > maxPauseMs) return { next: 'pause', ms: pauseMs }
    if (pauseMs > 0) await sleep(pauseMs, run.signal)
    const callAndStore = async () => {
      try {
        return await attemptCall(state, run)
      } finally {
        await storeUnstored(run)
      }
    }
    const callResult = await callAndStore().catch((error: unknown) => countCallFailure(run, step, error))
    if (callResult === 'compact') return { next: 'compact', step }
    return typeof callResult === 'object' ? callResult : readTurnState(db, run.runId, step)
  }

  /** Executes the tool calls of a step and returns the next state, or what the workflow must do instead. */
  const advanceToolCalls = async (
    state: TurnState,
    run: BatchContext,
    result: StepResult,
    stepLimit: number,
  ): Promise<TurnState | TurnAction> => {
    const { batchRun, options } = run
    const { step } = state
    const [tasks, calls] = [true, false].map((isTask) =>
      result.openCalls.filter(({ toolName }) => (toolName === subAgentTool) === isTask),
    ) as [OpenCall[], OpenCall[]]
    if (tasks.length > 0 && options.besideSubAgents !== true)
      return { next: 'subAgents', toolCallIds: tasks.map(({ toolCallId }) => toolCallId), runsTools: calls.length > 0 }
    const isStarted = calls.some((call) => call.isStarted)
    if (calls.length > 0 && !isStarted && batchRun.isSpent() && options.besideSubAgents !== true)
      return { next: 'advance' }
    const onRunning = (tools: string[]): void => void (batchRun.progress = { step, tools })
    let hasLostFiles = false
    const onLoss = (): void => void (hasLostFiles = true)
    const { outputs, unstored } = await executeCalls(calls, {
      ...run,
      sessionId: state.run.sessionId,
      step,
      onRunning,
      onLoss,
      keepsLastOutput: options.besideSubAgents !== true && !result.awaitsUser && step + 1 < stepLimit,
    })
    run.unstored.result = unstored
    const mayHaveChanges = state.mayHaveChanges || calls.some(({ toolName }) => fileTools.includes(toolName))
    const answer = state.answer && { ...state.answer, parts: withOutputs(state.answer.parts, outputs) }
    if (options.besideSubAgents === true) return { next: 'advance' }
    if (result.awaitsUser) return run.end({ ...state, mayHaveChanges }, { reason: 'awaiting_user' })
    const { finishReason } = result
    if (finishReason !== 'tool-calls') return run.end({ ...state, mayHaveChanges }, { reason: 'natural', finishReason })
    const nextStep = { attempt: undefined, failures: 0, failedCall: undefined, result: undefined }
    if (batchRun.isSpent() || hasLostFiles) await storeUnstored(run)
    if (batchRun.isSpent()) return { next: 'advance' }
    // The stored message now contains the announcement of the loss.
    if (hasLostFiles) return { ...(await readTurnState(db, run.runId, step + 1)), skills: state.skills }
    return { ...state, ...nextStep, step: step + 1, mayHaveChanges, answer }
  }

  const advance = async (run: BatchContext, first: TurnState | undefined): Promise<TurnAction> => {
    const { runId, batchRun, options, timeLimit } = run
    let state: TurnState | TurnAction = first ?? (await readTurnState(db, runId))
    if (state.run.status === 'queued' && options.claim !== 'new') await advanceRun(db, runId)
    const { stepLimit, timeLimitMs } = limitsFrom(state.run, deps.settings, Date.now())
    const timer = setTimeout(() => timeLimit.abort(new Error('the turn exceeded its time limit')), timeLimitMs)
    try {
      while (!('next' in state)) {
        batchRun.progress = { step: state.step }
        if (!state.open) return await run.end(state, { reason: 'stopped' })
        const { result }: TurnState = state
        state = await (result
          ? advanceToolCalls(state, run, result, stepLimit)
          : advanceModelCall(state, run, stepLimit))
      }
      return state
    } finally {
      clearTimeout(timer)
    }
  }

  /** Ends the turn after a stop or its time limit. Throws after any other failure. */
  const resolveFailure = async (
    { runId, batch, batchRun, timeLimit, end }: BatchContext,
    error: unknown,
  ): Promise<TurnAction> => {
    if (batchRun.isLeaving()) throw error
    const state = await readTurnState(db, runId)
    if (!state.open) return end(state, { reason: 'stopped' })
    if (batchRun.signal.aborted) throw error
    if (timeLimit.signal.aborted) return end(state, { reason: 'time_limit' })
    throw state.batch !== batch || error instanceof StaleWriterError ? createTakeoverFailure() : error
  }

  /**
   * Runs one batch of the turn. A later attempt of an activity claims the turn from the earlier process, because
   * the engine considers that process lost.
   */
  return async (runId: string, batchRun: Batch, options: TurnBatchOptions): Promise<TurnAction> => {
    const isNew = options.claim === 'new'
    // An earlier attempt of the activity may have failed while it ended the turn.
    const end: BatchContext['end'] = (state, turnEnd) => ending.end(state, turnEnd, options.claim === 'any')
    // The state of a turn that no batch has started does not change while the turn is claimed, so the reads run in
    // parallel.
    const [claimedTurn, skills, state] = await Promise.all([
      claimTurn(runId, options, batchRun),
      isNew ? reuseSessionSkills(db, runId) : undefined,
      isNew ? readTurnState(db, runId) : undefined,
    ])
    if (claimedTurn === undefined && isNew) return { next: 'advance' }
    if (claimedTurn === undefined) return end(await readTurnState(db, runId), { reason: 'stopped' })
    const timeLimit = new AbortController()
    const signal = AbortSignal.any([batchRun.signal, timeLimit.signal])
    const run = { ...claimedTurn, batchRun, options, timeLimit, unstored: { result: undefined }, end, signal }
    let action: TurnAction = { next: 'advance' }
    try {
      if (isNew && skills === undefined) return action
      action = await advance(run, state && { ...state, skills }).catch((error: unknown) => resolveFailure(run, error))
      return action
    } finally {
      if (action.next !== 'nothing') await releaseTurn(db, claimedTurn)
    }
  }
}
