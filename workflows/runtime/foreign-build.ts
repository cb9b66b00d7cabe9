import { ActivityFailure, ApplicationFailure, type WorkflowInterceptors } from '@temporalio/workflow'
import { foreignBuild, unknownActivity } from '../messages.ts'

/** Why this build cannot go on with a workflow: the worker does not have an activity of it. Undefined for other failures. */
export function refusalOf(error: unknown): Error | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined
  if (!(cause instanceof ApplicationFailure) || cause.type !== unknownActivity) return undefined
  return new Error(`${foreignBuild}: ${cause.message}`)
}

/**
 * Fails the workflow task, and not the workflow, when the worker is of a build that lacks one of its activities: it is
 * begun anew where its code and its activities belong together. No catch of a workflow can take this for a failed
 * activity, since the call never returns: what fails the task is a rejection that nobody handles.
 */
export function interceptors(): WorkflowInterceptors {
  return {
    outbound: [
      {
        scheduleActivity: async (input, next) => {
          try {
            return await next(input)
          } catch (error) {
            const refusal = refusalOf(error)
            if (refusal === undefined) throw error
            void Promise.reject(refusal)
            return new Promise(() => {})
          }
        },
      },
    ],
  }
}
