import { ApplicationFailure, asyncLocalStorage, Context } from '@temporalio/activity'
import type { Advanced, Pause } from '../../domain/chat/turns.ts'
import type { ActivityDeps } from '../deps.ts'
import { sleep } from '../runtime/sleep.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { createAccountPlaces } from './account-places.ts'
import { createHeadStarts } from './head-starts.ts'
import { handOver, isWorkersEnd, requireLock } from './working.ts'

/** A batch ends after the step in which it has run for this long. */
const budgetMs = 30_000

/** Progress of a batch, reported in heartbeats. */
type Position = { step: number; tools?: string[] }

/** A batch: steps of a turn or sub-agent that one process runs without a round trip to the engine. */
export type Batch = {
  /** Aborts on a recorded stop, on the engine's cancellation, and when this worker's shutdown grace period ends. */
  readonly signal: AbortSignal
  /** True once this worker is shutting down and another one must continue the work. */
  isLeaving(): boolean
  /** True once the batch must end after its current step. */
  isSpent(): boolean
  /** True once an activity has started or joined the batch, so that the engine tracks the work. */
  isJoined(): boolean
  /** True if this process started the turn before its activity arrived. */
  readonly hadHeadStart: boolean
  position: Position | undefined
}

type RunningBatch = {
  batch: Batch
  joined: number
  outcome: Promise<unknown>
  end(reason: unknown, leaving: boolean): void
}

/** A batch: its key, its run, and the account whose places it uses. */
type Identity = { key: string; runId: string; accountId: string | undefined }

type Work<T> = (batch: Batch) => Promise<T>

export type Batches = ReturnType<typeof createBatches>

/** Polling interval for the batch of another process, in case its notifications are lost. */
const lookMs = 500

/**
 * Limits of one process. `headStarts`: batches that wait for their activity. The limit keeps turns from running ahead
 * of a slow engine.
 */
type Bounds = { atOnce: number; headStarts: number }

/**
 * The batches of this process. A turn runs in at most one of them: an activity joins a running batch, whether a head
 * start or an earlier attempt started it. A batch ends early only when every activity that joined it is cancelled.
 */
export function createBatches(
  { lock, log, notifier, stops }: Pick<ActivityDeps, 'lock' | 'log' | 'notifier' | 'stops'>,
  bounds: Bounds,
) {
  const batches = new Map<string, RunningBatch>()
  /** Time of the last message from the process that runs a batch which this process waits for, by run id. */
  const others = new Map<string, { heardAt: number; wake: () => void }>()
  const awaited = new Set<string>()
  const headStarts = createHeadStarts(bounds.headStarts)
  const places = createAccountPlaces(bounds.atOnce)
  let draining = false

  const start = (
    { key, runId, accountId = '' }: Identity,
    work: Work<unknown>,
    { joined, hadHeadStart }: { joined: number; hadHeadStart: boolean },
  ): RunningBatch => {
    const ending = new AbortController()
    const stop = stops.watch(runId)
    const endsAt = performance.now() + budgetMs
    let leaving = false
    const batch: Batch = {
      signal: AbortSignal.any([ending.signal, stop.signal]),
      isLeaving: () => leaving,
      isSpent: () => draining || performance.now() > endsAt,
      isJoined: () => running.joined > 0,
      hadHeadStart,
      position: undefined,
    }
    const running: RunningBatch = {
      batch,
      joined,
      outcome: Promise.resolve(),
      end: (reason, toLeave) => {
        leaving ||= toLeave
        ending.abort(reason)
      },
    }
    batches.set(key, running)
    places.take(accountId)
    // Work that an activity attempt starts may outlive the attempt, so it runs outside of the activity's context.
    running.outcome = asyncLocalStorage
      .exit(() => work(batch))
      .finally(() => {
        stop.release()
        batches.delete(key)
        places.release(accountId)
        if (awaited.delete(runId)) notifier.headStart(runId, 'over')
      })
    running.outcome.catch(() => {})
    return running
  }

  return {
    /**
     * Runs work for an activity, or joins the same work if this process already runs it, and then calls `onJoined`. A
     * turn that its head start has ended returns that outcome. Heartbeats report the progress. Returns a pause when the
     * account has used its share of places. Rejects with a failure that Temporal retries immediately when this worker
     * shuts down.
     */
    join: async <T>(
      identity: Identity,
      work: Work<T>,
      onJoined = async (): Promise<unknown> => undefined,
    ): Promise<T | Pause> => {
      requireLock(lock)
      const { cancellationSignal, info } = Context.current()
      const { key, accountId = '' } = identity
      const outcome = headStarts.takeOutcome(key)
      if (outcome !== undefined) return outcome as T
      const known = batches.get(key)
      // A batch that a worker has lost does not wait for a place.
      const ms = known === undefined && info.attempt === 1 ? places.waitFor(accountId) : undefined
      if (ms !== undefined) return { next: 'pause', ms }
      const hadHeadStart = headStarts.arrive(key)
      if (known !== undefined) known.joined++
      const joining = known === undefined ? undefined : onJoined()
      joining?.catch(() => {})
      const running = known ?? start(identity, work, { joined: 1, hadHeadStart })
      const cancel = (): void => {
        const { reason } = cancellationSignal as { reason: unknown }
        running.joined--
        if (isWorkersEnd(reason)) running.end(reason, true)
        else if (running.joined === 0) running.end(reason, false)
      }
      if (cancellationSignal.aborted) cancel()
      cancellationSignal.addEventListener('abort', cancel, { once: true })
      try {
        const outcome = await withHeartbeat(
          () => running.outcome,
          () => running.batch.position,
        )
        await joining
        return outcome as T
      } catch (error) {
        throw running.batch.isLeaving() && !isFinal(error) ? handOver() : error
      } finally {
        cancellationSignal.removeEventListener('abort', cancel)
      }
    },
    /** Outcome of a turn that a head start of this process has ended. */
    endedAhead: (runId: string) => headStarts.takeOutcome(runId),
    /**
     * Starts a turn before its activity arrives, unless this process or the account has reached its limit of such
     * turns.
     */
    begin: (runId: string, accountId: string, work: Work<Advanced>): void => {
      if (draining || batches.has(runId) || !lock.held()) return
      if (headStarts.isFull(accountId) || places.isFull(accountId)) return
      headStarts.begin(runId, accountId)
      const noted = async (batch: Batch): Promise<Advanced> => {
        let advanced: Advanced | undefined
        try {
          return (advanced = await work(batch))
        } finally {
          headStarts.end(runId, advanced)
        }
      }
      start({ key: runId, runId, accountId }, noted, { joined: 0, hadHeadStart: false }).outcome.catch(
        (error: unknown) => log.debug({ runId, err: error }, 'a head start ended without a result'),
      )
    },
    /** Delivers a `HeadStartWord` about a running batch. */
    receive: (word: string, runId: string): void => {
      const other = others.get(runId)
      // A batch that waits for another process has no progress to report.
      if (word === 'asked' && batches.has(runId) && other === undefined) {
        awaited.add(runId)
        notifier.headStart(runId, 'alive')
      }
      if (word === 'alive' && other !== undefined) other.heardAt = performance.now()
      if (word === 'over') other?.wake()
      if (word === 'brought') headStarts.arrive(runId)
    },
    /** Follows the batch of a run in another process until closed. */
    follow: (runId: string) => {
      const other = { heardAt: performance.now(), wake: (): void => {} }
      others.set(runId, other)
      return {
        /** Resolves after a short wait, or immediately when the batch is over. Rejects when the signal aborts. */
        news: async (signal: AbortSignal): Promise<void> => {
          notifier.headStart(runId, 'asked')
          const waiting = new AbortController()
          other.wake = () => waiting.abort()
          await sleep(lookMs, AbortSignal.any([signal, waiting.signal])).catch(() => {})
          signal.throwIfAborted()
        },
        /** Milliseconds since the last message from that process. */
        silentMs: () => performance.now() - other.heardAt,
        close: () => void others.delete(runId),
      }
    },
    /** True while a batch runs. */
    isBusy: (): boolean => batches.size > 0,
    /** From this point every batch ends after its current step, and none starts without its activity. */
    drain: (): void => {
      draining = true
    },
    /** Ends every batch that no activity has joined. */
    close: async (): Promise<void> => {
      draining = true
      const left = [...batches.values()]
      for (const running of left) running.end(handOver(), true)
      await Promise.allSettled(left.map(({ outcome }) => outcome))
    },
  }
}

function isFinal(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.nonRetryable === true
}
