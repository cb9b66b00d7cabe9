import { Context } from '@temporalio/activity'
import type { ProviderCall } from '../../providers/call.ts'

const platformMs = 60_000

/** What an attempt of an activity tells the streaming platform of its calls. */
export const platformCall = (): ProviderCall => {
  const { info, cancellationSignal } = Context.current()
  return {
    deadline: new Date(Date.now() + platformMs),
    requestId: info.workflowExecution?.workflowId ?? info.activityId,
    signal: cancellationSignal,
  }
}
