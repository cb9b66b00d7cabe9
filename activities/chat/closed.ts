import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import { StaleWriter } from '../../db/log/writer.ts'

/** The log was closed to this attempt by a stop, a newer attempt or the end of the run: expected, and final. */
export function runClosed(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'RunClosed',
    message: 'the log is closed',
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  })
}

/** Runs work on an open log; a log that refuses it ends the activity for good. */
export async function onOpenLog<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof StaleWriter ? runClosed() : error
  }
}
