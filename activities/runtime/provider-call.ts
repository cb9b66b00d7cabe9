import { Context } from '@temporalio/activity'
import type { ProviderCall } from '../../providers/call.ts'
import { ProviderError } from '../../providers/fault.ts'

const callMs = 60_000

/** Options of a provider call in an activity. `ms`: time limit for all its requests together, one minute by default. */
export function providerCall(ms = callMs): ProviderCall {
  const { info, cancellationSignal } = Context.current()
  return {
    deadline: new Date(Date.now() + ms),
    requestId: info.workflowExecution?.workflowId ?? info.activityId,
    signal: cancellationSignal,
  }
}

/** True when the provider accepted nothing and may accept a later request. */
export function isBusy(error: unknown): error is ProviderError {
  return error instanceof ProviderError && (error.kind === 'capacity' || error.kind === 'rate_limited')
}
