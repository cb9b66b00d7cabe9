import { ApplicationFailureCategory } from '@temporalio/common'
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity'
import { StaleWriterError, type StreamWriter } from '../../db/log/writer.ts'
import type { Notifier } from '../../db/postgres/channels/notify.ts'
import type { ProcessLock } from '../../db/postgres/process-lock.ts'
import type { TurnTerms } from '../../domain/chat/turn-terms.ts'
import type { EgressPort } from '../../providers/egress/index.ts'
import type { ModelPort } from '../../providers/model/index.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import type { StopSignals } from '../runtime/stop-signals.ts'
import type { CheckpointDeps } from '../sandboxes/checkpoints.ts'
import type { SandboxDeps } from '../sandboxes/session.ts'

export type LockDeps = {
  stops: StopSignals
  /** This process's advisory lock. Other workers report the activities of a process that has lost its lock. */
  lock: Pick<ProcessLock, 'processId' | 'held' | 'settled'>
}

/** Dependencies of turns and their sub-agents. */
export type TurnDeps = SandboxDeps &
  CheckpointDeps &
  LockDeps & {
    writer: StreamWriter
    notifier: Notifier
    models: ModelPort
    egress: EgressPort
    /** Starts the workflow of an accepted run. */
    startTurn: (runId: string, options: { headless: boolean; bounded?: boolean }) => Promise<void>
    settings: {
      turns: TurnTerms
      stepLimit: number
      runTimeLimitMs: number
      /** Maximum characters of the output of one model call. */
      modelOutputLimit: number
      /** Whether a chat without its own setting has earlier turns summarized when the context window is nearly full. */
      autoCompact?: boolean | undefined
      /** Model of sub-agents; undefined uses the model of the turn. */
      subAgentModel?: string | undefined
    }
  }

/**
 * True if a worker cancelled the activity because its shutdown grace period ended; another worker continues the work.
 */
export function isWorkerShutdown(reason: unknown): boolean {
  return reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN'
}

/** The SDK logs a benign failure at debug level and does not count it as an error. */
const benign = ApplicationFailureCategory.BENIGN

const leavingType = 'WorkerLeaving'
const lockLostType = 'WorkerUnsure'

/** True when the work did not fail but must move to another worker. */
export function isHandedOver(error: unknown): boolean {
  return error instanceof ApplicationFailure && (error.type === leavingType || error.type === lockLostType)
}

/** Throws if this process does not hold its lock, because other workers then consider it lost. */
export function requireLock(lock: Pick<LockDeps['lock'], 'held'>): void {
  if (lock.held()) return
  throw ApplicationFailure.create({ type: lockLostType, message: 'this worker has lost its lock', category: benign })
}

/**
 * Runs the work of a turn's activity with heartbeats. The signal of `work` aborts on an announced stop, on the engine's
 * cancellation, and when this worker shuts down.
 */
export async function withWorkerLock<T>(
  deps: LockDeps,
  runId: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { cancellationSignal } = Context.current()
  requireLock(deps.lock)
  const stop = deps.stops.watch(runId)
  try {
    return await withHeartbeat(() => work(AbortSignal.any([stop.signal, cancellationSignal])))
  } catch (error) {
    // An announced stop has closed the log, so a retry has nothing to do.
    stop.signal.throwIfAborted()
    const isLeaving = cancellationSignal.aborted && isWorkerShutdown(cancellationSignal.reason)
    throw isLeaving && !(error instanceof StaleWriterError) ? createHandoverFailure() : error
  } finally {
    stop.release()
  }
}

/** Creates a failure that the engine retries almost immediately, on another worker. */
export function createHandoverFailure(): ApplicationFailure {
  return ApplicationFailure.create({
    type: leavingType,
    message: 'this worker is leaving',
    nextRetryDelay: '100ms',
    category: benign,
  })
}

/** Creates the failure of an attempt whose work another batch has claimed. The engine retries only the newest attempt. */
export function createTakeoverFailure(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'TakenOver',
    message: 'another process has taken over',
    nextRetryDelay: '100ms',
    category: benign,
  })
}

/**
 * Runs work on an open log. A log that was closed by a stop, a newer attempt or the end of the run fails the activity
 * permanently.
 */
export async function onOpenLog<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StaleWriterError)) throw error
    throw ApplicationFailure.create({
      type: 'RunClosed',
      message: 'the log is closed',
      nonRetryable: true,
      category: benign,
    })
  }
}
