import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow'

/** True when an activity failed because its worker was lost, and not because its work failed. */
export function isWorkerLost(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined
  return cause instanceof TimeoutFailure || (cause instanceof ApplicationFailure && cause.type === 'WorkerLost')
}
