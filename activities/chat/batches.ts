import { ApplicationFailure, asyncLocalStorage, Context } from '@temporalio/activity'
import type { Advanced, Pause } from '../../domain/chat/turns.ts'
import type { ActivityDeps } from '../deps.ts'
import { sleep } from '../runtime/sleep.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { createAccountPlaces } from './account-places.ts'
import { createHeadStarts } from './head-starts.ts'
import { handOver, isWorkersEnd, requireLock } from './working.ts'

/** A batch ends with the step in which this time is over. */
const budgetMs = 30_000

/** Where a batch is, as its heartbeats report. */
type Position = { step: number; tools?: string[] }

/** Steps of a turn or sub-agent that one process runs without the engine. */
export type Batch = {
  /** Aborts on a recorded stop, on the engine's cancellation, and when this worker's grace is over. */
  readonly signal: AbortSignal
  /** True once this worker is to leave the work to another one. */
  isLeaving(): boolean
  /** True once the batch is to end with its step. */
  isSpent(): boolean
  /** Whether the engine has the work: an activity has begun the batch or joined it. */
  isJoined(): boolean
  /** Whether this process had begun the turn before the engine brought it. */
  readonly hadHeadStart: boolean
  position: Position | undefined
}

type Running = {
  batch: Batch
  joined: number
  outcome: Promise<unknown>
  end(reason: unknown, leaving: boolean): void
}

type Work<T> = (batch: Batch) => Promise<T>

export type Batches = ReturnType<typeof createBatches>

/** How often the batch of another process is looked at, besides being heard of. */
const lookMs = 500

/** Bounds of one process. `headStarts`: those that wait for their activity, so that an engine that falls behind is not overtaken. */
type Bounds = { atOnce: number; headStarts: number }

/**
 * The batches of this process. One turn is in one of them at most: an activity joins the batch that runs already, whether
 * a head start or an earlier attempt began it, and it ends early only when all that joined it are cancelled.
 */
export function createBatches(
  { lock, log, notifier, stops }: Pick<ActivityDeps, 'lock' | 'log' | 'notifier' | 'stops'>,
  bounds: Bounds,
) {
  const batches = new Map<string, Running>()
  /** When another process was last heard of, by run, while its batch is waited for here. */
  const others = new Map<string, { heardAt: number; wake: () => void }>()
  const awaited = new Set<string>()
  const headStarts = createHeadStarts(bounds.headStarts)
  const places = createAccountPlaces(bounds.atOnce)
  let draining = false

  const start = (key: string, runId: string, work: Work<unknown>, joined: number, hadHeadStart = false): Running => {
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
    const running: Running = {
      batch,
      joined,
      outcome: Promise.resolve(),
      end: (reason, toLeave) => {
        leaving ||= toLeave
        ending.abort(reason)
      },
    }
    batches.set(key, running)
    // What an attempt of an activity begins may outlive it.
    running.outcome = asyncLocalStorage
      .exit(() => work(batch))
      .finally(() => {
        stop.release()
        batches.delete(key)
        if (awaited.delete(runId)) notifier.headStart(runId, 'over')
      })
    running.outcome.catch(() => {})
    return running
  }

  return {
    /**
     * Runs work for an activity, or joins the same work where this process runs it already, and calls `onJoined` then.
     * Heartbeats report where it is. Answers a pause when the account has its share of places. Rejects with a failure that
     * is retried at once when this worker leaves.
     */
    join: async <T>(
      { key, runId, accountId = '' }: { key: string; runId: string; accountId: string | undefined },
      work: Work<T>,
      onJoined = async (): Promise<unknown> => undefined,
    ): Promise<T | Pause> => {
      requireLock(lock)
      const { cancellationSignal, info } = Context.current()
      const known = batches.get(key)
      // A batch that runs already, or that a worker has lost, is not kept waiting.
      const ms = places.take(accountId, known === undefined && info.attempt === 1)
      if (ms !== undefined) return { next: 'pause', ms }
      const hadHeadStart = headStarts.arrive(key)
      if (known !== undefined) known.joined++
      const joining = known === undefined ? undefined : onJoined()
      joining?.catch(() => {})
      const running = known ?? start(key, runId, work, 1, hadHeadStart)
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
        places.release(accountId)
      }
    },
    /** Begins a turn before the engine has it, unless this process, or the account, has its share of such turns. */
    begin: (runId: string, accountId: string, work: Work<Advanced>): void => {
      if (draining || batches.has(runId) || !lock.held() || headStarts.isFull(accountId)) return
      headStarts.begin(runId, accountId)
      const noted = async (batch: Batch): Promise<Advanced> => {
        let endedRun = false
        try {
          const advanced = await work(batch)
          endedRun = advanced.next === 'nothing'
          return advanced
        } finally {
          headStarts.end(runId, endedRun)
        }
      }
      start(runId, runId, noted, 0).outcome.catch((error: unknown) =>
        log.debug({ runId, err: error }, 'a head start was given up'),
      )
    },
    /** Passes on a `HeadStartWord` about a batch that runs already. */
    hear: (word: string, runId: string): void => {
      const other = others.get(runId)
      // A batch that itself waits for another process has nothing to report.
      if (word === 'asked' && batches.has(runId) && other === undefined) {
        awaited.add(runId)
        notifier.headStart(runId, 'alive')
      }
      if (word === 'alive' && other !== undefined) other.heardAt = performance.now()
      if (word === 'over') other?.wake()
      if (word === 'brought') headStarts.arrive(runId)
    },
    /** Follows the batch of a run that another process runs, until closed. */
    follow: (runId: string) => {
      const other = { heardAt: performance.now(), wake: (): void => {} }
      others.set(runId, other)
      return {
        /** Resolves soon, and at once when the batch is over. Rejects when the signal aborts. */
        news: async (signal: AbortSignal): Promise<void> => {
          notifier.headStart(runId, 'asked')
          const waiting = new AbortController()
          other.wake = () => waiting.abort()
          await sleep(lookMs, AbortSignal.any([signal, waiting.signal])).catch(() => {})
          signal.throwIfAborted()
        },
        /** Milliseconds since that process was last heard of. */
        silentMs: () => performance.now() - other.heardAt,
        close: () => void others.delete(runId),
      }
    },
    /** From here on every batch ends with its step, and none begins without its activity. */
    drain: (): void => {
      draining = true
    },
    /** Ends what no activity has joined. */
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
