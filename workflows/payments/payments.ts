import { proxyActivities, sleep } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { ChargeOutcome } from '../../domain/payments/payments.ts'
import type { ChargeCardInput, MirrorOwnerInput, TopUpAccountInput } from './messages.ts'

const { mirrorOwner: mirror } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '1m', maximumAttempts: 30 },
})

/** Copies the owner of a subscription to the payment provider. The sweeper restarts it when the retries are used up. */
export function mirrorOwner(input: MirrorOwnerInput): Promise<void> {
  return mirror(input)
}

const { claimAutoTopUp } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 5 },
})
const { chargeIntent } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '5s',
  scheduleToCloseTimeout: '5m',
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
})

/** Pauses between charge attempts with the same idempotency key while the outcome is unknown. */
type Pauses = readonly number[]
const interactivePauses: Pauses = [0]
const automaticPauses: Pauses = [1000, 2000, 4000, 8000]

/** Charges the card of a manual purchase, for which a request waits. The webhook records the payment. */
export function chargeCard({ intentId }: ChargeCardInput): Promise<ChargeOutcome> {
  return charge(intentId, interactivePauses)
}

/** Claims the intent of an automatic top-up, then charges the card. The webhook records the payment. */
export async function topUpAccount(input: TopUpAccountInput): Promise<void> {
  const { intentId } = await claimAutoTopUp(input)
  if (intentId !== null) await charge(intentId, automaticPauses)
}

async function charge(intentId: string, pausesMs: Pauses): Promise<ChargeOutcome> {
  let outcome = await chargeIntent({ intentId })
  for (const pauseMs of pausesMs) {
    if (outcome.is !== 'unknown') break
    if (pauseMs > 0) await sleep(pauseMs)
    outcome = await chargeIntent({ intentId })
  }
  return outcome
}
