import { ApplicationFailure, Context } from '@temporalio/activity'
import { isDatabaseAway } from '../../db/postgres/failures.ts'
import { withHeartbeat } from './heartbeat.ts'

/** Attempts after which a failure is the last one. Lost and leaving workers, and a database that is away, are none. */
const maxFailures = 3

/**
 * As `withHeartbeat`, for work with a provider whose failures count: the engine itself tries again far more often, so that
 * workers that are lost one after the other end nothing.
 */
export async function withProviderAttempts<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withHeartbeat(work)
  } catch (error) {
    const { info, cancellationSignal } = Context.current()
    if (info.attempt < maxFailures || cancellationSignal.aborted || isDatabaseAway(error)) throw error
    throw ApplicationFailure.create({
      message: 'failed at every attempt',
      type: 'ProviderFailed',
      nonRetryable: true,
      ...(error instanceof Error && { cause: error }),
    })
  }
}
