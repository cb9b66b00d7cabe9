import { ActivityFailure, ApplicationFailure, type WorkflowInterceptors } from '@temporalio/workflow'
import { foreignBuild, unknownActivity } from '../messages.ts'

/**
 * Returns the reason why this build cannot continue a workflow: its worker lacks one of the activities. Returns undefined
 * for other failures.
 */
export function explainForeignBuild(error: unknown): Error | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined
  if (!(cause instanceof ApplicationFailure) || cause.type !== unknownActivity) return undefined
  return new Error(`${foreignBuild}: ${cause.message}`)
}

/**
 * Fails the workflow task, and not the workflow, when the worker's build lacks one of its activities. The workflow is
 * then restarted on a build that has both its code and its activities. An unhandled rejection fails the task, and the
 * failed call never returns, so that no `catch` in a workflow treats it as a failed activity.
 */
export function interceptors(): WorkflowInterceptors {
  return {
    outbound: [
      {
        scheduleActivity: async (input, next) => {
          try {
            return await next(input)
          } catch (error) {
            const foreignBuildError = explainForeignBuild(error)
            if (foreignBuildError === undefined) throw error
            void Promise.reject(foreignBuildError)
            return new Promise(() => {})
          }
        },
      },
    ],
  }
}
