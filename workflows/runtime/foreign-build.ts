import { ActivityFailure, ApplicationFailure, type WorkflowInterceptors } from '@temporalio/workflow'
import { foreignBuild, unknownActivity } from '../messages.ts'

/**
 * Returns the reason why this build cannot continue a workflow: its worker lacks one of the activities. Undefined for
 * other failures.
 */
export function explainForeignBuild(error: unknown): Error | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined
  if (!(cause instanceof ApplicationFailure) || cause.type !== unknownActivity) return undefined
  return new Error(`${foreignBuild}: ${cause.message}`)
}

/**
 * Fails the workflow task, and not the workflow, when the worker's build lacks one of its activities. The workflow is
 * then restarted on a build that has both its code and its activities. The failed call never returns, so that no catch
 * in a workflow mistakes it for a failed activity: an unhandled rejection fails the task.
 */
export function interceptors(): WorkflowInterceptors {
  return {
    outbound: [
      {
        scheduleActivity: async (input, next) => {
          try {
            return await next(input)
          } catch (error) {
            const refusal = explainForeignBuild(error)
            if (refusal === undefined) throw error
            void Promise.reject(refusal)
            return new Promise(() => {})
          }
        },
      },
    ],
  }
}
