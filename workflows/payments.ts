import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { MirrorOwnerInput, TopUpAccountInput } from './messages.ts'

const { mirrorOwner: mirror } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '1m', maximumAttempts: 30 },
})

/** Tells the payment provider whose a subscription is. The sweeper begins it anew when its tries are used up. */
export const mirrorOwner = (input: MirrorOwnerInput): Promise<void> => mirror(input)

const retry = { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 5 } as const
const { claimAutoTopUp } = proxyActivities<Activities>({ startToCloseTimeout: '1m', retry })
const { chargeAutoTopUp } = proxyActivities<Activities>({ startToCloseTimeout: '1m', heartbeatTimeout: '5s', retry })

/** One automatic top-up: the run is claimed, then the card is charged; the webhook books what was paid. */
export async function topUpAccount(input: TopUpAccountInput): Promise<void> {
  const { intentId } = await claimAutoTopUp(input)
  if (intentId !== null) await chargeAutoTopUp({ intentId })
}
