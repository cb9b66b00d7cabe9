import { CancellationScope, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { DeliverMailInput } from './messages.ts'

// The timeout is shorter than the time for which an email provider stores idempotency keys.
const { deliverMail: attemptDelivery } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '5s',
  scheduleToCloseTimeout: '12h',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '5m' },
})
const { giveUpMail } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
})

/** Delivers an email of the outbox to the provider, or marks it as failed when the retries are used up. */
export async function deliverMail({ mailId }: DeliverMailInput): Promise<void> {
  try {
    await attemptDelivery({ mailId })
  } catch {
    await CancellationScope.nonCancellable(() => giveUpMail({ mailId }))
  }
}
