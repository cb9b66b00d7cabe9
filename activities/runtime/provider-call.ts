import { Context } from '@temporalio/activity'
import type { ProviderCall } from '../../providers/call.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'

const defaultTimeoutMs = 60_000

/** Returns the options of a provider call in an activity. `timeoutMs` limits all requests of the call together. */
export function providerCall(timeoutMs = defaultTimeoutMs): ProviderCall {
  const { info, cancellationSignal } = Context.current()
  return {
    deadline: new Date(Date.now() + timeoutMs),
    requestId: info.workflowExecution?.workflowId ?? info.activityId,
    signal: cancellationSignal,
  }
}

/** True when the provider accepted nothing and may accept a later request. */
export function isBusy(error: unknown): error is ProviderError {
  return error instanceof ProviderError && (error.kind === 'capacity' || error.kind === 'rate_limited')
}
