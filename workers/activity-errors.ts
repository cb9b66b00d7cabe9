import { randomUUID } from 'node:crypto'
import { CompleteAsyncError, type Context } from '@temporalio/activity'
import { ApplicationFailure, TemporalFailure } from '@temporalio/common'
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker'
import type { Logger } from 'pino'

const typePattern = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

/**
 * Keeps the messages of unexpected errors out of workflow histories, which everyone with access to Temporal can read. The
 * messages may contain sandbox output, paths or addresses. The history stores the error type and an id; the log line with
 * this id contains the error.
 */
export function createErrorFilter(log: Logger) {
  return (ctx: Context): ActivityInboundCallsInterceptor => ({
    execute: async (input, next) => {
      try {
        return await next(input)
      } catch (error) {
        if (hasFixedMessage(error) || isCancelled(error, ctx.cancellationSignal)) throw error
        const errorId = randomUUID()
        const { activityType, activityId, attempt, workflowExecution } = ctx.info
        const { workflowId } = workflowExecution ?? {}
        log.warn({ err: error, errorId, workflowId, activityType, activityId, attempt }, 'an activity failed')
        const type = readErrorType(error)
        throw ApplicationFailure.retryable(`${type} (${errorId})`, type)
      }
    },
  })
}

/** Returns whether the message of an error is fixed, without output of a sandbox, git or a provider. */
function hasFixedMessage(error: unknown): boolean {
  return error instanceof CompleteAsyncError || error instanceof TemporalFailure
}

/** Returns whether Temporal treats the error as the end of a cancelled activity. */
function isCancelled(error: unknown, { aborted }: AbortSignal): boolean {
  return aborted && error instanceof Error && error.name === 'AbortError'
}

function readErrorType(error: unknown): string {
  return error instanceof Error && typePattern.test(error.name) ? error.name : 'Error'
}
