import type { ChargeOutcome } from '../../domain/payments/payments.ts'
import { declareWorkflow } from '../messages.ts'

export type MirrorOwnerInput = { subscriptionId: string }
export type TopUpAccountInput = { accountId: string }
export type ChargeCardInput = { intentId: string }

/** Tells the payment provider whose a subscription is. */
export const mirrorOwner = declareWorkflow<MirrorOwnerInput>({
  type: 'mirrorOwner',
  id: ({ subscriptionId }) => `owner:${subscriptionId}`,
})

/** One automatic top-up, when one is due. */
export const topUpAccount = declareWorkflow<TopUpAccountInput>({
  type: 'topUpAccount',
  id: ({ accountId }) => `top-up:${accountId}`,
  owner: ({ accountId }) => ({ accountId }),
})

/** One charge of the card on file. Nobody expects it any more when no worker could take it for five minutes. */
export const chargeCard = declareWorkflow<ChargeCardInput, ChargeOutcome>({
  type: 'chargeCard',
  id: ({ intentId }) => `charge:${intentId}`,
  timeoutMs: 5 * 60_000,
})
