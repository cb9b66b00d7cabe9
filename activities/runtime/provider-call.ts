import { Context } from '@temporalio/activity'
import type { ProviderCall } from '../../providers/call.ts'
import { ProviderFault } from '../../providers/fault.ts'

const callMs = 60_000

/** What an attempt of an activity tells a provider of its calls: a minute for all of them, unless said otherwise. */
export function providerCall(ms = callMs): ProviderCall {
  const { info, cancellationSignal } = Context.current()
  return {
    deadline: new Date(Date.now() + ms),
    requestId: info.workflowExecution?.workflowId ?? info.activityId,
    signal: cancellationSignal,
  }
}

/** True for a provider that took nothing, and may take it later. */
export function isBusy(error: unknown): error is ProviderFault {
  return error instanceof ProviderFault && (error.kind === 'capacity' || error.kind === 'rate_limited')
}
