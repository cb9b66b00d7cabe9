import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow'
import { foreignBuild, unknownActivity } from './messages.ts'

const isRefusal = (error: unknown): boolean => error instanceof Error && error.message.startsWith(`${foreignBuild}: `)

/**
 * Fails the workflow task and not the turn, which is then begun anew where its code and its activities belong together.
 * A refusal that was thrown further inside is one here too.
 */
export const refuseForeignBuild = (error: unknown): void => {
  if (isRefusal(error)) throw error
  const cause = error instanceof ActivityFailure ? error.cause : undefined
  if (!(cause instanceof ApplicationFailure) || cause.type !== unknownActivity) return
  throw new Error(`${foreignBuild}: ${cause.message}`)
}
