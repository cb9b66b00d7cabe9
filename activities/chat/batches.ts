import { ApplicationFailure, asyncLocalStorage, Context } from '@temporalio/activity'
import type { HeadStartWord } from '../../db/postgres/channels/notify.ts'
import type { TurnAction, Pause } from '../../domain/chat/turns.ts'
import { sleep } from '../runtime/sleep.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { createAccountSlots } from './account-slots.ts'
import { createHeadStarts } from './head-starts.ts'
import { createHandoverFailure, isWorkerShutdown, requireLock, type TurnDeps } from './working.ts'

/** A batch ends after the step in which it reaches this duration. */
const timeBudgetMs = 30_000

/** Progress of a batch, which heartbeats report. */
type Progress = { step: number; tools?: string[] }

/** A batch: steps of a turn or sub-agent that one process runs without a round trip to the engine. */
export type Batch = {
  /** Aborts on a recorded stop, on the engine's cancellation, and when this worker's shutdown grace period ends. */
  readonly signal: AbortSignal
  /** True once this worker is shutting down and another worker must continue the work. */
  isLeaving(): boolean
  /** True once the batch must end after its current step. */
  isSpent(): boolean
  /** True once an activity has started or joined the batch, so that the engine tracks the work. */
  isJoined(): boolean
  /** True if this process started the turn before its activity arrived. */
  readonly hadHeadStart: boolean
  /** Records that this process now runs the work, so that other workers detect a frozen process. */
  hold(): void
  progress: Progress | undefined
}

type RunningBatch = {
  batch: Batch
  joinedCount: number
  outcome: Promise<unknown>
  end(reason: unknown, leaves: boolean): void
}

/** Identifies a batch: its key, its run, and the account whose slots it uses. */
type Identity = { key: string; runId: string; accountId: string | undefined }

type Work<T> = (batch: Batch) => Promise<T>

export type Batches = ReturnType<typeof createBatches>

/** Polling interval for the batch of another process, in case its notifications are lost. */
const pollIntervalMs = 1000

/** `beatWhile` reports that this process is responsive until the work ends. */
type BatchDeps = Pick<TurnDeps, 'lock' | 'log' | 'notifier' | 'stops'> & {
  pulse: { beatWhile(work: Promise<unknown>): void }
}

/**
 * Limits of one process. `maxHeadStarts` limits the batches that wait for their activity, so that turns do not run far ahead
 * of a slow engine.
 */
type Limits = { maxBatches: number; maxHeadStarts: number }

/**
 * Creates the batches of this process. A head start runs a turn before its activity arrives. A turn has at most one batch: if
 * a head start or an earlier attempt has started it, the activity joins it. A batch is cancelled only when every activity that
 * joined it is cancelled.
 */
export function createBatches({ lock, log, notifier, stops, pulse }: BatchDeps, limits: Limits) {
  const batches = new Map<string, RunningBatch>()
  /** Batches of other processes that this process waits for, by run id, with the time of the last message about each. */
  const awaitedBatches = new Map<string, { lastMessageAt: number; wake: () => void }>()
  /** Processes that wait for a batch of this process, by run id. */
  const followers = new Map<string, Set<number>>()
  const headStarts = createHeadStarts(limits.maxHeadStarts)
  const slots = createAccountSlots(limits.maxBatches)
  let isDraining = false

  const notifyFollowers = (runId: string): void => {
    for (const follower of followers.get(runId) ?? []) notifier.headStart(follower, 'over', runId)
    followers.delete(runId)
  }

  const start = (
    { key, runId, accountId = '' }: Identity,
    work: Work<unknown>,
    { joinedCount, hadHeadStart }: { joinedCount: number; hadHeadStart: boolean },
  ): RunningBatch => {
    const ending = new AbortController()
    const stop = stops.watch(runId)
    const endsAt = performance.now() + timeBudgetMs
    let isLeaving = false
    let recordEnd: (() => void) | undefined
    const ended = new Promise<void>((resolve) => (recordEnd = resolve))
    const batch: Batch = {
      signal: AbortSignal.any([ending.signal, stop.signal]),
      isLeaving: () => isLeaving,
      isSpent: () => isDraining || performance.now() > endsAt,
      isJoined: () => runningBatch.joinedCount > 0,
      hadHeadStart,
      hold: () => pulse.beatWhile(ended),
      progress: undefined,
    }
    const runningBatch: RunningBatch = {
      batch,
      joinedCount,
      outcome: Promise.resolve(),
      end: (reason, leaves) => {
        isLeaving ||= leaves
        ending.abort(reason)
      },
    }
    batches.set(key, runningBatch)
    slots.take(accountId)
    // Work that an activity attempt starts may outlive the attempt, so it runs outside of the activity's context.
    runningBatch.outcome = asyncLocalStorage
      .exit(() => work(batch))
      .finally(() => {
        recordEnd?.()
        stop.release()
        batches.delete(key)
        slots.release(accountId)
        notifyFollowers(runId)
      })
    runningBatch.outcome.catch(() => {})
    return runningBatch
  }

  return {
    /**
     * Runs work for an activity. If this process already runs the same work, joins it and calls `onJoined`; if a head
     * start has ended the turn, returns that outcome. Heartbeats report the progress. Returns a pause when the account
     * has used its share of the slots. When this worker shuts down, rejects with a failure that Temporal retries
     * immediately.
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
      const existing = batches.get(key)
      // A retry after the loss of a worker does not wait for a slot.
      const ms = existing === undefined && info.attempt === 1 ? slots.waitFor(accountId) : undefined
      if (ms !== undefined) return { next: 'pause', ms }
      const hadHeadStart = headStarts.arrive(key)
      if (existing !== undefined) {
        existing.joinedCount++
        // The engine retries the activity of a batch that waits for another process when that process is lost.
        awaitedBatches.get(identity.runId)?.wake()
      }
      const joining = existing === undefined ? undefined : onJoined()
      joining?.catch(() => {})
      const runningBatch = existing ?? start(identity, work, { joinedCount: 1, hadHeadStart })
      const cancel = (): void => {
        const { reason } = cancellationSignal as { reason: unknown }
        runningBatch.joinedCount--
        if (isWorkerShutdown(reason)) runningBatch.end(reason, true)
        else if (runningBatch.joinedCount === 0) runningBatch.end(reason, false)
      }
      if (cancellationSignal.aborted) cancel()
      cancellationSignal.addEventListener('abort', cancel, { once: true })
      try {
        const outcome = await withHeartbeat(
          () => runningBatch.outcome,
          () => runningBatch.batch.progress,
        )
        await joining
        return outcome as T
      } catch (error) {
        throw runningBatch.batch.isLeaving() && !isPermanent(error) ? createHandoverFailure() : error
      } finally {
        cancellationSignal.removeEventListener('abort', cancel)
      }
    },
    /** Returns the outcome of a turn that a head start of this process has ended. A second call returns undefined. */
    endedAhead: (runId: string) => headStarts.takeOutcome(runId),
    /**
     * Starts a turn before its activity arrives. Does nothing if the turn is running here, if this process drains or has
     * lost its lock, or if the limit of head starts or batches is reached.
     */
    begin: (runId: string, accountId: string, work: Work<TurnAction>): void => {
      if (isDraining || batches.has(runId) || !lock.held()) return
      if (headStarts.isFull(accountId) || slots.isFull(accountId)) return
      headStarts.begin(runId, accountId)
      const trackedWork = async (batch: Batch): Promise<TurnAction> => {
        let outcome: TurnAction | undefined
        try {
          return (outcome = await work(batch))
        } finally {
          headStarts.end(runId, outcome)
        }
      }
      start({ key: runId, runId, accountId }, trackedWork, { joinedCount: 0, hadHeadStart: false }).outcome.catch(
        (error: unknown) => log.debug({ runId, err: error }, 'a head start ended without a result'),
      )
    },
    /** Returns the number of turns that this process may begin before their activities arrive. */
    freeHeadStarts: (): number => (isDraining || !lock.held() ? 0 : headStarts.countFree()),
    /** Handles a notification from another process about a batch. */
    receive: (word: Exclude<HeadStartWord, 'due'>, runId: string, sender: number): void => {
      const other = awaitedBatches.get(runId)
      if ((word === 'follow' || word === 'query') && batches.has(runId)) {
        followers.set(runId, (followers.get(runId) ?? new Set()).add(sender))
        headStarts.arrive(runId)
        // A batch that waits for another process does not confirm that the run is alive.
        if (word === 'query' && other === undefined) notifier.headStart(sender, 'alive', runId)
      } else if (word === 'follow') notifier.headStart(sender, 'over', runId)
      if (word === 'alive' && other !== undefined) other.lastMessageAt = performance.now()
      if (word === 'over') other?.wake()
    },
    /** Records that the activity of a turn has arrived in another process. */
    arrive: (runId: string): void => void headStarts.arrive(runId),
    /** Follows the batch of a run in another process until `close`. */
    follow: (runId: string) => {
      const other = { lastMessageAt: performance.now(), wake: (): void => {} }
      let word: 'follow' | 'query' = 'follow'
      awaitedBatches.set(runId, other)
      return {
        /** Resolves after a short wait, or as soon as the batch of `holder` has ended. Rejects when the signal aborts. */
        waitForUpdate: async (holder: number | null, signal: AbortSignal): Promise<void> => {
          if (holder !== null) notifier.headStart(holder, word, runId, lock.processId)
          word = 'query'
          const wait = new AbortController()
          other.wake = () => wait.abort()
          await sleep(pollIntervalMs, AbortSignal.any([signal, wait.signal])).catch(() => {})
          signal.throwIfAborted()
        },
        /** Returns the milliseconds since that process last confirmed the batch, or since `follow`. */
        silentMs: () => performance.now() - other.lastMessageAt,
        close: () => void awaitedBatches.delete(runId),
      }
    },
    /** Makes every batch end after its current step, and prevents further head starts. */
    drain: (): void => {
      isDraining = true
    },
    /** Ends every batch that no activity has joined. */
    close: async (): Promise<void> => {
      isDraining = true
      const remaining = [...batches.values()]
      for (const runningBatch of remaining) runningBatch.end(createHandoverFailure(), true)
      await Promise.allSettled(remaining.map(({ outcome }) => outcome))
    },
  }
}

function isPermanent(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.nonRetryable === true
}
