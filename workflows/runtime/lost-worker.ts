import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow'

/** True when no attempt reported a failure because its worker was lost. */
export function isWorkerLost(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined
  return cause instanceof TimeoutFailure || (cause instanceof ApplicationFailure && cause.type === 'WorkerLost')
}
