import { countFailure } from '../../db/log/attempts.ts'
import { StaleWriter } from '../../db/log/writer.ts'
import { advanceRun } from '../../db/runs/runs.ts'
import { releaseTurn, takeTurn, type Claim, type TurnBatch } from '../../db/turns/batch.ts'
import { readTurnState, type TurnState } from '../../db/turns/context.ts'
import { joinTurn } from '../../db/turns/queue/steer.ts'
import { takeKnownSkills } from '../../db/turns/skills.ts'
import { finishToolCall, releaseToolCall, startToolCall } from '../../db/turns/steps/tool.ts'
import { maxPauseMs, pauseBeforeRetry, pauseLeft } from '../../domain/chat/pauses.ts'
import { withOutputs } from '../../domain/chat/sub-agent.ts'
import { limitsFrom } from '../../domain/runs/origin.ts'
import { runsSubAgent } from '../../domain/tools/tools.ts'
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
import { skillsOfRun } from '../skills/of-run.ts'
import type { Batch, Batches } from './batches.ts'
import { ModelCallFailed } from './model-call.ts'
import { createStepCall } from './step-call.ts'
import { createToolCalls } from './tool-calls.ts'
import { createTurnEnding } from './turn-ending.ts'
import { takenOver } from './working.ts'

/** A process that has been silent for so long counts as lost: as long as the engine waits for a heartbeat. */
const silentMs = 5000

/** How a batch of a turn is run. */
export type TurnBatchOptions = {
  activityId: string
  claim: Claim
  /** The history before the turn is summarised, as far as it can be. */
  compacted?: boolean | undefined
  /** Executes the tools of the newest step beside its sub-agents, and no more. */
  besideSubAgents?: boolean | undefined
}

/** `late` aborts when the time of the turn is over. */
type Run = TurnBatch & {
  batchRun: Batch
  options: TurnBatchOptions
  signal: AbortSignal
  late: AbortController
  end: (state: TurnState, end: TurnEnd) => Promise<Advanced>
}

/** For a head start, of which the engine does not know yet: one that is lost is reported as the first activity of the turn. */
export const headStartOptions: TurnBatchOptions = { activityId: '1', claim: 'new' }

/**
 * Advances a turn by as many steps as fit into one batch: model call, tools, next model call. What has happened is in
 * Postgres, where the number of the batch lets one loop of all processes open a step or start a tool, so a loop may be cut
 * off and begun anew anywhere: what has ended is not repeated.
 */
export function createTurnLoop(deps: ActivityDeps, batches: Pick<Batches, 'follow'>) {
  const { db, lock, notifier, log } = deps
  const callModel = createStepCall(deps)
  const ending = createTurnEnding(deps)
  const executeCalls = createToolCalls(deps, {
    start: (attempt) => startToolCall(db, attempt),
    release: (attempt) => releaseToolCall(db, attempt),
    store: async (result) => {
      await db.begin((tx) => finishToolCall(tx, result))
      notifier.wake(result.runId)
    },
  })

  /** Takes the turn, once another process that runs it is done or silent. Undefined when it is closed, or not for a head start. */
  const take = async (runId: string, { activityId, claim }: TurnBatchOptions, signal: AbortSignal) => {
    const other = batches.follow(runId)
    const own = { runId, holder: lock.processId, activityId }
    try {
      for (let now = claim; ; now = other.silentMs() > silentMs ? 'any' : claim) {
        const taken = await takeTurn(db, { ...own, claim: now, detectsDead: lock.settled() })
        if (taken === 'closed' || (taken === 'held' && claim === 'new')) return undefined
        if (taken !== 'held') return { ...own, ...taken }
        await advanceRun(db, runId)
        await other.news(signal)
      }
    } finally {
      other.close()
    }
  }

  /** What a failed call left is read from the store. A failure outside of the model counts as one of its step, too. */
  const countFailed = async ({ runId, batch, signal }: Run, step: number, error: unknown): Promise<void> => {
    if (error instanceof ModelCallFailed) return
    signal.throwIfAborted()
    if (error instanceof StaleWriter) {
      // A commit whose answer was lost may have ended the step.
      const stored = await readTurnState(db, runId, step)
      if (stored.open && stored.batch === batch && stored.result !== undefined) return
      throw error
    }
    log.warn({ runId, step, err: error }, 'a step failed')
    const failures = await countFailure(db, runId, step)
    if (failures < maxFailures) await sleep(pauseBeforeRetry(failures), signal)
  }

  /** One attempt at the model call of a step. Messages that steer the turn join it before. */
  const call = async (state: TurnState, { runId, batch, batchRun, options, signal }: Run) => {
    const { step, attempt } = state
    const context = {
      batch,
      firstAttempt: options.claim === 'new' ? headStartAttempt : 1,
      compacts: options.compacted !== true,
      signal,
      isLeaving: () => batchRun.isLeaving(),
      begins: () => batchRun.isJoined(),
    }
    const skills = state.skills ?? (await skillsOfRun(deps, state.run, signal))
    const called = await callModel({ ...state, skills }, { ...context, yieldsToSteering: attempt === undefined })
    if (called !== 'steered') return called
    await db.begin((tx) => joinTurn(tx, { runId, step, batch }))
    notifier.wake(runId)
    return callModel({ ...(await readTurnState(db, runId, step)), skills }, { ...context, yieldsToSteering: false })
  }

  /** One model call, or what keeps the turn from it. */
  const callOrReturn = async (state: TurnState, run: Run, stepLimit: number): Promise<TurnState | Advanced> => {
    const { step, failures, failedCall } = state
    if (step >= stepLimit) return run.end(state, { reason: 'step_limit' })
    if (failures >= maxFailures) return run.end(state, { reason: 'error', errorText: modelErrorText(state.fault) })
    const pauseMs = failedCall === undefined ? 0 : pauseLeft(failedCall, failures)
    if (pauseMs > maxPauseMs) return { next: 'pause', ms: pauseMs }
    if (pauseMs > 0) await sleep(pauseMs, run.signal)
    const called = await call(state, run).catch((error: unknown) => countFailed(run, step, error))
    if (called === 'compact') return { next: 'compact', step }
    return typeof called === 'object' ? called : readTurnState(db, run.runId, step)
  }

  /** The calls of a step whose model call has ended, and what comes behind it. */
  const executeOrReturn = async (state: TurnState, run: Run, result: StepResult): Promise<TurnState | Advanced> => {
    const { batchRun, options } = run
    const { step } = state
    const [tasks, calls] = [true, false].map((wanted) =>
      result.openCalls.filter(({ toolName }) => (toolName === runsSubAgent) === wanted),
    ) as [OpenCall[], OpenCall[]]
    if (tasks.length > 0 && options.besideSubAgents !== true)
      return { next: 'subAgents', toolCallIds: tasks.map(({ toolCallId }) => toolCallId), runsTools: calls.length > 0 }
    if (calls.length > 0 && batchRun.isSpent() && options.besideSubAgents !== true) return { next: 'advance' }
    const onRunning = (tools: string[]): void => void (batchRun.position = { step, tools })
    const outputs = await executeCalls(calls, { ...run, sessionId: state.run.sessionId, onRunning })
    const usedTools = state.usedTools || calls.length > 0
    const answer = state.answer && { ...state.answer, parts: withOutputs(state.answer.parts, outputs) }
    if (options.besideSubAgents === true) return { next: 'advance' }
    if (result.awaitsUser) return run.end({ ...state, usedTools }, { reason: 'awaiting_user' })
    const { finishReason } = result
    if (finishReason !== 'tool-calls') return run.end({ ...state, usedTools }, { reason: 'natural', finishReason })
    const fresh = { attempt: undefined, failures: 0, failedCall: undefined, result: undefined }
    return batchRun.isSpent() ? { next: 'advance' } : { ...state, ...fresh, step: step + 1, usedTools, answer }
  }

  const advance = async (run: Run, first: TurnState | undefined): Promise<Advanced> => {
    const { runId, batchRun, options, late } = run
    let state: TurnState | Advanced = first ?? (await readTurnState(db, runId))
    if (state.run.status === 'queued' && options.claim !== 'new') await advanceRun(db, runId)
    const { stepLimit, timeLimitMs } = limitsFrom(state.run, deps.settings, Date.now())
    const clock = setTimeout(() => late.abort(new Error('the turn took too long')), timeLimitMs)
    try {
      while (!('next' in state)) {
        batchRun.position = { step: state.step }
        if (!state.open) return await run.end(state, { reason: 'stopped' })
        const { result }: TurnState = state
        state = await (result ? executeOrReturn(state, run, result) : callOrReturn(state, run, stepLimit))
      }
      return state
    } finally {
      clearTimeout(clock)
    }
  }

  /** What a failure means for the turn, which another batch may have taken, or a stop closed. */
  const endAfter = async ({ runId, batch, batchRun, late, end }: Run, error: unknown): Promise<Advanced> => {
    if (batchRun.isLeaving()) throw error
    const state = await readTurnState(db, runId)
    if (!state.open) return end(state, { reason: 'stopped' })
    if (batchRun.signal.aborted) throw error
    if (late.signal.aborted) return end(state, { reason: 'time_limit' })
    throw state.batch !== batch || error instanceof StaleWriter ? takenOver() : error
  }

  /** One batch of the turn. A later attempt of an activity claims the turn from its process: the engine holds that for lost. */
  return async (runId: string, batchRun: Batch, options: TurnBatchOptions): Promise<Advanced> => {
    const isNew = options.claim === 'new'
    // An earlier attempt of the activity may have failed at the end of the turn.
    const end: Run['end'] = (state, how) => ending.end(state, how, options.claim === 'any')
    // Of a turn that no batch has begun nothing changes while it is taken.
    const [own, skills, state] = await Promise.all([
      take(runId, options, batchRun.signal),
      isNew ? takeKnownSkills(db, runId) : undefined,
      isNew ? readTurnState(db, runId) : undefined,
    ])
    if (own === undefined && isNew) return { next: 'advance' }
    if (own === undefined) {
      if (!batchRun.hadHeadStart) notifier.headStart(runId, 'brought')
      return end(await readTurnState(db, runId), { reason: 'stopped' })
    }
    const late = new AbortController()
    const run = { ...own, batchRun, options, late, end, signal: AbortSignal.any([batchRun.signal, late.signal]) }
    let advanced: Advanced = { next: 'advance' }
    try {
      if (isNew && skills === undefined) return advanced
      advanced = await advance(run, state && { ...state, skills }).catch((error: unknown) => endAfter(run, error))
      return advanced
    } finally {
      if (advanced.next !== 'nothing') await releaseTurn(db, own)
    }
  }
}
