import { countFailure } from '../../db/log/attempts.ts'
import { StaleWriterError } from '../../db/log/writer.ts'
import { advanceRun } from '../../db/runs/runs.ts'
import { releaseTurn, takeTurn, type Claim, type TurnBatch } from '../../db/turns/take-turn.ts'
import { readTurnState, type TurnState } from '../../db/turns/context.ts'
import { joinTurn } from '../../db/turns/queue/steer.ts'
import { reuseSessionSkills } from '../../db/turns/skills.ts'
import { announceLoss } from '../../db/turns/sandbox-loss.ts'
import { finishToolCall, releaseToolCall, startToolCall } from '../../db/turns/steps/tool.ts'
import { maxPauseMs, pauseBeforeRetry, remainingPause } from '../../domain/chat/pauses.ts'
import { withOutputs } from '../../domain/chat/sub-agent.ts'
import { limitsFrom } from '../../domain/runs/origin.ts'
import { subAgentTool } from '../../domain/tools/turn-tools.ts'
import {
  headStartAttempt,
  maxFailures,
  modelErrorText,
  type Advanced,
  type OpenCall,
  type StepResult,
  type TurnEnd,
} from '../../domain/chat/turns.ts'
import type { ActivityDeps } from '../deps.ts'
import { sleep } from '../runtime/sleep.ts'
import { findRunSkills } from '../skills/run-skills.ts'
import type { Batch, Batches } from './batches.ts'
import { ModelCallError } from './model-call.ts'
import { createStepCall } from './step-call.ts'
import { createToolCalls } from './tool-calls.ts'
import { createTurnEnding } from './turn-ending.ts'
import { createTakeoverFailure } from './working.ts'

/** A process that is silent for this long counts as lost. */
const maxSilenceMs = 5000

/** Options of a batch of a turn. */
export type TurnBatchOptions = {
  activityId: string
  claim: Claim
  /** True once the history before the turn has been summarized as far as possible. */
  compacted?: boolean | undefined
  /** Executes only the tools of the newest step that are not sub-agents. */
  besideSubAgents?: boolean | undefined
}

/** One batch of a turn. `timeLimit` aborts when the time limit of the turn is reached. */
type Run = TurnBatch & {
  batchRun: Batch
  options: TurnBatchOptions
  signal: AbortSignal
  timeLimit: AbortController
  end: (state: TurnState, end: TurnEnd) => Promise<Advanced>
}

/**
 * Options of a head start. The engine does not track it yet, so a lost one is reported as the first activity of the turn.
 */
export const headStartOptions: TurnBatchOptions = { activityId: '1', claim: 'new' }

/**
 * Advances a turn by the steps of one batch: model call, tools, next model call. The state is in Postgres, where the batch
 * number ensures that only one loop across all processes can open a step or start a tool. A loop may therefore stop at any
 * point and another one continue elsewhere without repeating finished work.
 */
export function createTurnLoop(deps: ActivityDeps, batches: Pick<Batches, 'follow'>) {
  const { db, lock, notifier, log } = deps
  const callModel = createStepCall(deps)
  const ending = createTurnEnding(deps)
  const executeCalls = createToolCalls(deps, {
    start: (attempt) => startToolCall(db, attempt),
    release: (attempt) => releaseToolCall(db, attempt),
    store: async (result) => {
      await finishToolCall(db, result)
      // Readers receive it with the next frames, at most ten milliseconds later.
      notifier.wakeSoon(result.runId)
    },
  })

  /**
   * Takes the turn once another process that runs it is done or silent. Returns undefined when the turn is closed, or is not
   * free for a head start.
   */
  const take = async (runId: string, { activityId, claim }: TurnBatchOptions, signal: AbortSignal) => {
    const other = batches.follow(runId)
    const ids = { runId, holder: lock.processId, activityId }
    let isAdvanced = false
    try {
      for (let currentClaim = claim; ; currentClaim = other.silentMs() > maxSilenceMs ? 'any' : claim) {
        const taken = await takeTurn(db, { ...ids, claim: currentClaim, detectsDead: lock.settled() })
        if (taken === 'closed' || ('heldBy' in taken && claim === 'new')) return undefined
        if ('batch' in taken) return { ...ids, ...taken }
        if (!isAdvanced) await advanceRun(db, runId)
        isAdvanced = true
        await other.untilNews(taken.heldBy, signal)
      }
    } finally {
      other.close()
    }
  }

  /** Counts a failed call towards its step, unless the model call itself has counted it or the store has its result. */
  const countFailed = async ({ runId, batch, signal }: Run, step: number, error: unknown): Promise<void> => {
    if (error instanceof ModelCallError) return
    signal.throwIfAborted()
    if (error instanceof StaleWriterError) {
      // The commit may have ended the step even though its response was lost.
      const stored = await readTurnState(db, runId, step)
      if (stored.open && stored.batch === batch && stored.result !== undefined) return
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
  const attemptCall = async (state: TurnState, { runId, batch, batchRun, options, signal }: Run) => {
    const { step, attempt } = state
    const context = {
      batch,
      firstAttempt: options.claim === 'new' ? headStartAttempt : 1,
      mayCompact: options.compacted !== true,
      signal,
      isLeaving: () => batchRun.isLeaving(),
      startsRun: () => batchRun.isJoined(),
    }
    const skills = state.skills ?? (await findRunSkills(deps, state.run, signal))
    const known = await announceIfLost(state)
    const called = await callModel({ ...known, skills }, { ...context, yieldsToSteering: attempt === undefined })
    if (called !== 'steered') return called
    await db.begin((tx) => joinTurn(tx, { runId, step, batch }))
    notifier.wake(runId)
    return callModel({ ...(await readTurnState(db, runId, step)), skills }, { ...context, yieldsToSteering: false })
  }

  /** Makes one model call, or returns the reason why the turn cannot make it. */
  const callOrReturn = async (state: TurnState, run: Run, stepLimit: number): Promise<TurnState | Advanced> => {
    const { step, failures, failedCall } = state
    if (step >= stepLimit) return run.end(state, { reason: 'step_limit' })
    if (failures >= maxFailures) return run.end(state, { reason: 'error', errorText: modelErrorText(state.rejection) })
    const pauseMs = failedCall === undefined ? 0 : remainingPause(failedCall, failures)
    if (pauseMs > maxPauseMs) return { next: 'pause', ms: pauseMs }
    if (pauseMs > 0) await sleep(pauseMs, run.signal)
    const called = await attemptCall(state, run).catch((error: unknown) => countFailed(run, step, error))
    if (called === 'compact') return { next: 'compact', step }
    return typeof called === 'object' ? called : readTurnState(db, run.runId, step)
  }

  /** Executes the tool calls of a step whose model call has ended, and returns what follows. */
  const executeOrReturn = async (state: TurnState, run: Run, result: StepResult): Promise<TurnState | Advanced> => {
    const { batchRun, options } = run
    const { step } = state
    const [tasks, calls] = [true, false].map((isTask) =>
      result.openCalls.filter(({ toolName }) => (toolName === subAgentTool) === isTask),
    ) as [OpenCall[], OpenCall[]]
    if (tasks.length > 0 && options.besideSubAgents !== true)
      return { next: 'subAgents', toolCallIds: tasks.map(({ toolCallId }) => toolCallId), runsTools: calls.length > 0 }
    if (calls.length > 0 && batchRun.isSpent() && options.besideSubAgents !== true) return { next: 'advance' }
    const onRunning = (tools: string[]): void => void (batchRun.progress = { step, tools })
    let isRestored = false
    const onLoss = (): void => void (isRestored = true)
    const outputs = await executeCalls(calls, { ...run, sessionId: state.run.sessionId, onRunning, onLoss })
    const usedTools = state.usedTools || calls.length > 0
    const answer = state.answer && { ...state.answer, parts: withOutputs(state.answer.parts, outputs) }
    if (options.besideSubAgents === true) return { next: 'advance' }
    if (result.awaitsUser) return run.end({ ...state, usedTools }, { reason: 'awaiting_user' })
    const { finishReason } = result
    if (finishReason !== 'tool-calls') return run.end({ ...state, usedTools }, { reason: 'natural', finishReason })
    const nextStep = { attempt: undefined, failures: 0, failedCall: undefined, result: undefined }
    if (batchRun.isSpent()) return { next: 'advance' }
    // The message has the announcement of the loss.
    if (isRestored) return { ...(await readTurnState(db, run.runId, step + 1)), skills: state.skills }
    return { ...state, ...nextStep, step: step + 1, usedTools, answer }
  }

  const advance = async (run: Run, first: TurnState | undefined): Promise<Advanced> => {
    const { runId, batchRun, options, timeLimit } = run
    let state: TurnState | Advanced = first ?? (await readTurnState(db, runId))
    if (state.run.status === 'queued' && options.claim !== 'new') await advanceRun(db, runId)
    const { stepLimit, timeLimitMs } = limitsFrom(state.run, deps.settings, Date.now())
    const timer = setTimeout(() => timeLimit.abort(new Error('the turn exceeded its time limit')), timeLimitMs)
    try {
      while (!('next' in state)) {
        batchRun.progress = { step: state.step }
        if (!state.open) return await run.end(state, { reason: 'stopped' })
        const { result }: TurnState = state
        state = await (result ? executeOrReturn(state, run, result) : callOrReturn(state, run, stepLimit))
      }
      return state
    } finally {
      clearTimeout(timer)
    }
  }

  /** Returns what follows a failure: another batch may have taken the turn, or a stop may have closed it. */
  const endAfter = async ({ runId, batch, batchRun, timeLimit, end }: Run, error: unknown): Promise<Advanced> => {
    if (batchRun.isLeaving()) throw error
    const state = await readTurnState(db, runId)
    if (!state.open) return end(state, { reason: 'stopped' })
    if (batchRun.signal.aborted) throw error
    if (timeLimit.signal.aborted) return end(state, { reason: 'time_limit' })
    throw state.batch !== batch || error instanceof StaleWriterError ? createTakeoverFailure() : error
  }

  /**
   * Runs one batch of the turn. A later attempt of an activity claims the turn from the earlier process, because the
   * engine considers that process lost.
   */
  return async (runId: string, batchRun: Batch, options: TurnBatchOptions): Promise<Advanced> => {
    const isNew = options.claim === 'new'
    // An earlier attempt of the activity may have failed at the end of the turn.
    const end: Run['end'] = (state, turnEnd) => ending.end(state, turnEnd, options.claim === 'any')
    // The state of a turn that no batch has started does not change while the turn is taken, so both are read in
    // parallel.
    const [taken, skills, state] = await Promise.all([
      take(runId, options, batchRun.signal),
      isNew ? reuseSessionSkills(db, runId) : undefined,
      isNew ? readTurnState(db, runId) : undefined,
    ])
    if (taken === undefined && isNew) return { next: 'advance' }
    if (taken === undefined) {
      if (!batchRun.hadHeadStart) notifier.turnArrived(runId)
      return end(await readTurnState(db, runId), { reason: 'stopped' })
    }
    const timeLimit = new AbortController()
    const signal = AbortSignal.any([batchRun.signal, timeLimit.signal])
    const run = { ...taken, batchRun, options, timeLimit, end, signal }
    let advanced: Advanced = { next: 'advance' }
    try {
      if (isNew && skills === undefined) return advanced
      advanced = await advance(run, state && { ...state, skills }).catch((error: unknown) => endAfter(run, error))
      return advanced
    } finally {
      if (advanced.next !== 'nothing') await releaseTurn(db, taken)
    }
  }
}
