import { CancellationScope, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { DeliverMailInput } from './messages.ts'

// Shorter than the time for which a mail provider remembers its keys.
const { deliverMail: attempt } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '5s',
  scheduleToCloseTimeout: '12h',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '5m' },
})
const { giveUpMail } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
})

/** Hands a mail of the outbox over, for as long as that can be tried. */
export async function deliverMail({ mailId }: DeliverMailInput): Promise<void> {
  try {
    await attempt({ mailId })
  } catch {
    await CancellationScope.nonCancellable(() => giveUpMail({ mailId }))
  }
}
