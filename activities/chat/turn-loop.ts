import { Context } from '@temporalio/activity'
import { countFailure } from '../../db/log/attempts.ts'
import { StaleWriter } from '../../db/log/writer.ts'
import { advanceRun } from '../../db/runs/runs.ts'
import { releaseTurn, takeTurn, type Claim, type TurnBatch } from '../../db/turns/batch.ts'
import { readTurnState, type TurnState } from '../../db/turns/context.ts'
import { joinTurn } from '../../db/turns/queue/steer.ts'
import { takeKnownSkills } from '../../db/turns/skills.ts'
import { finishToolCall, releaseToolCall, startToolCall } from '../../db/turns/steps/tool.ts'
import { withOutputs } from '../../domain/chat/sub-agent.ts'
import { limitsWithin } from '../../domain/runs/origin.ts'
import { runsSubAgent } from '../../domain/tools/tools.ts'
import { headStartAttempt, maxFailures, modelErrorText, type Advanced, type TurnEnd } from '../../domain/chat/turns.ts'
import type { ActivityDeps } from '../deps.ts'
import { sleep } from '../runtime/sleep.ts'
import { skillsOfRun } from '../skills/of-run.ts'
import type { Batch, Batches } from './batches.ts'
import { maxPauseMs, ModelCallFailed, pauseBeforeRetry, pauseLeft } from './model-call.ts'
import { createStepCall } from './step-call.ts'
import { createToolCalls } from './tool-calls.ts'
import { createTurnEnding } from './turn-ending.ts'
import { takenOver } from './working.ts'

/** What the engine calls the first activity of a turn: a head start that is lost is reported to it under this name. */
const firstActivityId = '1'

/** A process that has been silent for so long counts as lost: as long as the engine waits for a heartbeat. */
const silentMs = 5000

type Options = {
  activityId: string
  claim: Claim
  /** An earlier attempt of the activity may have failed at the end of the run. */
  again: boolean
  /** The history before the turn is summarised, as far as it can be. */
  compacted: boolean
  /** Executes the tools of the newest step beside its sub-agents, and no more. */
  besideSubAgents: boolean
}

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
  const take = async (
    runId: string,
    { activityId, claim }: Options,
    signal: AbortSignal,
  ): Promise<TurnBatch | undefined> => {
    const other = batches.follow(runId)
    try {
      for (let own = claim; ; own = other.silentMs() > silentMs ? 'any' : claim) {
        const holder = lock.processId
        const taken = await takeTurn(db, { runId, holder, activityId, claim: own, detectsDead: lock.settled() })
        if (taken === 'closed' || (taken === 'held' && claim === 'new')) return undefined
        if (taken !== 'held') return { runId, holder, activityId, ...taken }
        await advanceRun(db, runId)
        await other.news(signal)
      }
    } finally {
      other.close()
    }
  }

  const skillsOf = async (state: TurnState, signal: AbortSignal) => state.skills ?? skillsOfRun(deps, state.run, signal)

  /** Messages that steer the turn join it before its next step. */
  const join = async ({ run, step }: TurnState, batch: number): Promise<TurnState> => {
    await db.begin((tx) => joinTurn(tx, { runId: run.id, step, batch }))
    notifier.wake(run.id)
    return readTurnState(db, run.id, step)
  }

  /** What a call that failed leaves is read from the store. A failure outside of the model counts as one of its step, too. */
  const countFailed = async (
    { run, step }: TurnState,
    own: TurnBatch,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> => {
    if (error instanceof ModelCallFailed) return
    signal.throwIfAborted()
    if (error instanceof StaleWriter) {
      // A commit whose answer was lost may have ended the step.
      const stored = await readTurnState(db, run.id, step)
      if (stored.open && stored.batch === own.batch && stored.result !== undefined) return
      throw error
    }
    log.warn({ runId: run.id, step, err: error }, 'a step failed')
    const failures = await countFailure(db, run.id, step)
    if (failures < maxFailures) await sleep(pauseBeforeRetry(failures), signal)
  }

  /** One attempt at the model call of a step, behind the pause that an earlier one has left. */
  const call = async (state: TurnState, own: TurnBatch, batch: Batch, options: Options, signal: AbortSignal) => {
    const context = {
      batch: own.batch,
      firstAttempt: options.claim === 'new' ? headStartAttempt : 1,
      compacts: !options.compacted,
      signal,
      isLeaving: batch.isLeaving,
      begins: batch.isJoined,
    }
    const skills = await skillsOf(state, signal)
    const called = await callModel({ ...state, skills }, skills, {
      ...context,
      yieldsToSteering: state.attempt === undefined,
    })
    if (called !== 'steered') return called
    return callModel(await join(state, own.batch), skills, { ...context, yieldsToSteering: false })
  }

  const advance = async (
    own: TurnBatch,
    batch: Batch,
    options: Options,
    late: AbortController,
    first: TurnState | undefined,
  ): Promise<Advanced> => {
    const { runId } = own
    const signal = AbortSignal.any([batch.signal, late.signal])
    const end = (end: TurnEnd, usedTools: boolean): Promise<Advanced> =>
      ending.end(runId, end, { ...options, usedTools })
    let state = first ?? (await readTurnState(db, runId))
    const limits = limitsOf(state)
    const clock = setTimeout(() => late.abort(new Error('the turn took too long')), limits.timeLimitMs)
    if (state.run.status === 'queued' && options.claim !== 'new') await advanceRun(db, runId)
    try {
      for (;;) {
        const { step, result } = state
        batch.position = { step }
        if (!state.open) return await end({ reason: 'stopped' }, state.usedTools)
        if (result === undefined) {
          if (step >= limits.stepLimit) return await end({ reason: 'step_limit' }, state.usedTools)
          if (state.failures >= maxFailures)
            return await end({ reason: 'error', errorText: modelErrorText(state.fault) }, state.usedTools)
          const pauseMs = state.failedCall === undefined ? 0 : pauseLeft(state.failedCall, state.failures)
          if (pauseMs > maxPauseMs) return { next: 'pause', ms: pauseMs }
          if (pauseMs > 0) await sleep(pauseMs, signal)
          const called = await call(state, own, batch, options, signal).catch((error: unknown) =>
            countFailed(state, own, error, signal),
          )
          if (called === 'compact') return { next: 'compact', step }
          state = typeof called === 'object' ? called : await readTurnState(db, runId, step)
          if (state.result !== undefined && state.result.openCalls.length > 0 && batch.isSpent())
            return { next: 'advance' }
          continue
        }
        const subAgents = result.openCalls.filter(({ toolName }) => toolName === runsSubAgent)
        const calls = result.openCalls.filter(({ toolName }) => toolName !== runsSubAgent)
        if (subAgents.length > 0 && !options.besideSubAgents)
          return {
            next: 'subAgents',
            toolCallIds: subAgents.map(({ toolCallId }) => toolCallId),
            runsTools: calls.length > 0,
          }
        if (calls.length > 0) {
          const onRunning = (tools: string[]): void => void (batch.position = { step, tools })
          const { sessionId } = state.run
          const outputs = await executeCalls(calls, { ...own, sessionId, signal, onRunning })
          state = { ...state, usedTools: true, answer: answered(state, outputs) }
        }
        if (options.besideSubAgents) return { next: 'advance' }
        if (result.awaitsUser) return await end({ reason: 'awaiting_user' }, state.usedTools)
        const { finishReason } = result
        if (finishReason !== 'tool-calls') return await end({ reason: 'natural', finishReason }, state.usedTools)
        state = { ...state, step: step + 1, attempt: undefined, failures: 0, failedCall: undefined, result: undefined }
        if (batch.isSpent()) return { next: 'advance' }
      }
    } finally {
      clearTimeout(clock)
    }
  }

  const limitsOf = ({ run }: TurnState) => {
    const { stepLimit, runTimeLimitMs } = deps.settings
    const leftMs = runTimeLimitMs - (run.startedAt === null ? 0 : Date.now() - run.startedAt.getTime())
    return limitsWithin({ stepLimit, timeLimitMs: Math.max(1, leftMs) }, run.inherited, Date.now())
  }

  /** What a failure means for the turn, which another batch may have taken, or a stop closed. */
  const onFailure = async (error: unknown, own: TurnBatch, batch: Batch, options: Options, late: AbortController) => {
    if (batch.isLeaving()) throw error
    const { open, batch: newest, usedTools } = await readTurnState(db, own.runId)
    if (!open) return ending.end(own.runId, { reason: 'stopped' }, { ...options, usedTools })
    if (batch.signal.aborted) throw error
    if (late.signal.aborted) return ending.end(own.runId, { reason: 'time_limit' }, { ...options, usedTools })
    if (newest !== own.batch || error instanceof StaleWriter) throw takenOver()
    throw error
  }

  const run = async (runId: string, batch: Batch, options: Options): Promise<Advanced> => {
    const isNew = options.claim === 'new'
    // Of a turn that no batch has begun nothing changes while it is taken.
    const [own, skills, state] = await Promise.all([
      take(runId, options, batch.signal),
      isNew ? takeKnownSkills(db, runId) : undefined,
      isNew ? readTurnState(db, runId) : undefined,
    ])
    if (own === undefined) return isNew ? { next: 'advance' } : ending.endOf(runId, options)
    const late = new AbortController()
    let advanced: Advanced | undefined
    try {
      if (isNew && skills === undefined) return { next: 'advance' }
      const first = state && { ...state, skills }
      advanced = await advance(own, batch, options, late, first).catch((error: unknown) =>
        onFailure(error, own, batch, options, late),
      )
      return advanced
    } finally {
      if (advanced?.next !== 'nothing') await releaseTurn(db, own)
    }
  }

  return {
    /** For an activity. A later attempt takes the turn from the process that had it: the engine holds that for lost. */
    forActivity: (runId: string, { compacted = false, besideSubAgents = false }) => {
      const { activityId, attempt } = Context.current().info
      const options: Options = {
        activityId,
        claim: attempt === 1 ? 'free' : 'any',
        again: attempt > 1,
        compacted,
        besideSubAgents,
      }
      return (batch: Batch): Promise<Advanced> => run(runId, batch, options)
    },
    /** Before the engine has the turn. */
    forHeadStart: (runId: string) => {
      const options = {
        activityId: firstActivityId,
        claim: 'new',
        again: false,
        compacted: false,
        besideSubAgents: false,
      } as const
      return (batch: Batch): Promise<Advanced> => run(runId, batch, options)
    },
  }
}

/** The message of the turn with the outputs of its calls, as a reader of the store would find it. */
function answered({ answer }: TurnState, outputs: readonly { toolCallId: string; output: unknown }[]) {
  return answer && { ...answer, parts: withOutputs(answer.parts, outputs) }
}
