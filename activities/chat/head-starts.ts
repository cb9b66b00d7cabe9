import { setTimeout } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/activity'
import { abandonAttempt, fenceOf, releaseWriter } from '../../db/log/attempts.ts'
import { StaleWriter } from '../../db/log/writer.ts'
import { advanceRun } from '../../db/runs/runs.ts'
import type { HeadStartWord } from '../../db/postgres/notify.ts'
import { readTurnState } from '../../db/turns/context.ts'
import { takeKnownSkills } from '../../db/turns/skills.ts'
import { findLeftHeadStart, type LeftHeadStart } from '../../db/turns/steps/head-start.ts'
import { headStartAttempt, type StepResult } from '../../domain/chat/turns.ts'
import { placesOfAccount } from '../../domain/runs/places.ts'
import type { ActivityDeps } from '../deps.ts'
import { databaseOfActivities } from '../runtime/database.ts'
import { failureWeight, modelFailed, requestedWaitMs } from './model-call.ts'
import { createStepCall, type CallDeps } from './step-call.ts'
import { isWorkersEnd } from './working.ts'

/** As long as the engine gives the activity. */
const callMs = 600_000

/** What the engine calls the first activity of a turn: a head start that is lost is told to it under this name. */
const firstActivityId = '1'

/** How often it is looked whether the head start of another process is over, besides being told. */
const lookMs = 500

/** After so long without a word its process counts as lost: as long as the engine waits for a heartbeat. */
const silentMs = 5000

/** How a head start came out; undefined: nothing was begun, or somebody else is to go on. */
type Outcome = { result: StepResult } | { failure: ApplicationFailure } | undefined

type Entry = { accountId: string; joined: boolean; outcome: Promise<Outcome>; stop: (leaving: boolean) => void }

export type HeadStarts = {
  /**
   * Hears a `HeadStartWord` of a run from any process. One that is due begins here, unless this process or the account has
   * its share of head starts, or this process is about to leave.
   */
  hear(word: string, runId: string, accountId: string): void
  /** Says that the activity of the turn is here, until it calls what this answers: no head start is begun any more. */
  arrive(runId: string): () => void
  /**
   * The result of the head start that this process has in hand, for the activity that would make the same call. Undefined
   * when there is none, or the activity is to make the call itself. Rejects as the activity would.
   */
  join(runId: string, signal: AbortSignal): Promise<StepResult | undefined>
  /**
   * Resolves once what the head start of another process has left can be read. Rejects when the call is to be made again,
   * as when that process stands still.
   */
  awaitOther(runId: string, signal: AbortSignal): Promise<void>
  /** From here on nothing is begun. */
  drain(): void
  /** Gives up what no activity has joined. */
  close(): Promise<void>
}

/**
 * First model calls that begin as soon as a turn is accepted, while the engine still starts its workflow: attempt 0 of
 * step 0. The log's fence lets one of all workers open the step, the process lock tells when it died, and the workflow's own
 * activity joins the call or takes it over as that of a lost worker. `atOnce`: so many wait for their activity at most, so
 * that an engine that falls behind is not overtaken further.
 */
export function createHeadStarts(
  deps: CallDeps & Pick<ActivityDeps, 'stops'>,
  { atOnce }: { atOnce: number },
): HeadStarts {
  const { lock, notifier, stops, log } = deps
  const db = databaseOfActivities(deps.db)
  const callModel = createStepCall({ ...deps, db })
  const entries = new Map<string, Entry>()
  const arrived = new Set<string>()
  const awaited = new Map<string, Set<() => void>>()
  /** When one that is awaited here was last heard of. */
  const heardAt = new Map<string, number>()
  let draining = false

  const attempt = async (runId: string, signal: AbortSignal, isLeaving: () => boolean): Promise<Outcome> => {
    const stop = stops.watch(runId)
    let opened = false
    try {
      const [state, skills] = await Promise.all([readTurnState(db, runId, 0), takeKnownSkills(db, runId)])
      if (!state.open || state.steered || state.result !== undefined || skills === undefined) return undefined
      const caller = {
        step: 0,
        attempt: headStartAttempt,
        activityId: firstActivityId,
        compacts: true,
        callMs,
        signal: AbortSignal.any([signal, stop.signal]),
        isLeaving,
        onOpened: () => void (opened = true),
      }
      const result = await callModel(caller, state, skills)
      return result.needsCompaction ? undefined : { result }
    } catch (error) {
      if (!opened) {
        if (error instanceof StaleWriter) return undefined
        log.debug({ runId, err: error }, 'a turn had no head start')
        // The log may have been opened all the same, by a commit whose answer was lost.
        await releaseWriter(db, { runId, activityId: firstActivityId, holder: lock.processId })
        return undefined
      }
      const handsOver = error instanceof StaleWriter || isLeaving() || signal.aborted
      if (error instanceof ApplicationFailure) return handsOver ? undefined : { failure: error }
      // Whatever kept the call from its end: nobody writes from here on, and whoever waits for it need not look for a lock.
      const failures = await abandonAttempt(db, {
        runId,
        step: 0,
        fence: fenceOf(0, headStartAttempt),
        reason: isLeaving() ? 'worker_lost' : 'model_error',
        weight: handsOver ? 0 : failureWeight(error),
        retryAfterMs: requestedWaitMs(error),
      })
      return handsOver ? undefined : { failure: modelFailed(error, failures) }
    } finally {
      stop.release()
    }
  }

  const start = (runId: string, accountId: string): Entry => {
    const stopping = new AbortController()
    let leaving = false
    const outcome = attempt(runId, stopping.signal, () => leaving)
      .catch((error: unknown) => {
        log.warn({ runId, err: error }, 'a head start was given up')
        return undefined
      })
      .finally(() => {
        entries.delete(runId)
        notifier.headStart(runId, 'over')
      })
    const stop = (toLeave: boolean): void => {
      leaving = toLeave
      stopping.abort()
    }
    return { accountId, joined: false, outcome, stop }
  }

  /** Resolves when the head start of a run is said to be over. */
  const told = (runId: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const waiting = awaited.get(runId) ?? new Set()
      awaited.set(runId, waiting.add(resolve))
      const forget = (): void => {
        waiting.delete(resolve)
        if (waiting.size === 0 && awaited.get(runId) === waiting) awaited.delete(runId)
        resolve()
      }
      signal.addEventListener('abort', forget, { once: true })
    })

  const isFull = (accountId: string): boolean => {
    const waiting = [...entries.values()].filter(({ joined }) => !joined)
    const own = waiting.filter((entry) => entry.accountId === accountId)
    return waiting.length >= atOnce || own.length >= placesOfAccount(atOnce)
  }

  const begin = (runId: string, accountId: string): void => {
    if (draining || entries.has(runId) || arrived.has(runId) || !lock.held() || isFull(accountId)) return
    entries.set(runId, start(runId, accountId))
  }

  const words: Record<HeadStartWord, (runId: string, accountId: string) => void> = {
    due: begin,
    over: (runId) => {
      for (const resolve of awaited.get(runId) ?? []) resolve()
    },
    asked: (runId) => {
      if (entries.has(runId)) notifier.headStart(runId, 'alive')
    },
    alive: (runId) => {
      if (heardAt.has(runId)) heardAt.set(runId, performance.now())
    },
  }

  /** What the head start of another process has left, once it is over. */
  const untilLeft = async (runId: string, signal: AbortSignal): Promise<LeftHeadStart> => {
    heardAt.set(runId, performance.now())
    for (;;) {
      signal.throwIfAborted()
      const looked = new AbortController()
      const end = (): void => looked.abort()
      signal.addEventListener('abort', end, { once: true })
      const news = told(runId, looked.signal)
      const left = await findLeftHeadStart(db, runId, lock.processId)
      try {
        if (left !== undefined) return left
        if (performance.now() - (heardAt.get(runId) ?? 0) > silentMs) throw again()
        notifier.headStart(runId, 'asked')
        await Promise.race([news, setTimeout(lookMs, undefined, looked)])
      } finally {
        signal.removeEventListener('abort', end)
        end()
      }
    }
  }

  return {
    hear: (word, runId, accountId) => words[word as HeadStartWord]?.(runId, accountId),
    arrive: (runId) => {
      arrived.add(runId)
      return () => void arrived.delete(runId)
    },
    join: async (runId, signal) => {
      const own = entries.get(runId)
      if (own === undefined) return undefined
      own.joined = true
      const stop = (): void => own.stop(isWorkersEnd(signal.reason))
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
      const [outcome] = await Promise.all([own.outcome, advanceRun(db, runId)])
      signal.removeEventListener('abort', stop)
      signal.throwIfAborted()
      if (outcome === undefined) return undefined
      if ('failure' in outcome) throw outcome.failure
      return outcome.result
    },
    awaitOther: async (runId, signal) => {
      await advanceRun(db, runId)
      const left = await untilLeft(runId, signal).finally(() => heardAt.delete(runId))
      if (!left.ended && !left.failed) throw again()
    },
    drain: () => {
      draining = true
    },
    close: async () => {
      draining = true
      for (const { stop } of entries.values()) stop(true)
      await Promise.all([...entries.values()].map(({ outcome }) => outcome))
    },
  }
}

/** Makes the engine retry at once: the head start is lost, and the next attempt takes it over. */
function again(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'HeadStartLost',
    message: 'the call that was begun for this turn was given up',
    nextRetryDelay: 1,
  })
}
