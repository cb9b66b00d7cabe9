import { ApplicationFailure, Context } from '@temporalio/activity'
import { isDatabaseUnavailable } from '../../db/postgres/failures.ts'
import { withHeartbeat } from './heartbeat.ts'

/** Attempts before a failure is permanent. Lost workers, shutdowns and database outages do not count. */
const maxFailures = 3

/**
 * Runs provider calls with heartbeats. The last failure is permanent. The engine's own retry limit is far higher, so that a
 * series of lost workers does not end the work.
 */
export async function withProviderAttempts<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withHeartbeat(work)
  } catch (error) {
    const { info, cancellationSignal } = Context.current()
    if (info.attempt < maxFailures || cancellationSignal.aborted || isDatabaseUnavailable(error)) throw error
    throw ApplicationFailure.create({
      message: 'failed at every attempt',
      type: 'ProviderFailed',
      nonRetryable: true,
      ...(error instanceof Error && { cause: error }),
    })
  }
}
