import type { ChargeOutcome } from '../../domain/payments/payments.ts'
import { declareWorkflow } from '../messages.ts'

export type MirrorOwnerInput = { subscriptionId: string }
export type TopUpAccountInput = { accountId: string }
export type ChargeCardInput = { intentId: string }

/** Copies the owner of a subscription to the payment provider. */
export const mirrorOwner = declareWorkflow<MirrorOwnerInput>({
  type: 'mirrorOwner',
  id: ({ subscriptionId }) => `owner:${subscriptionId}`,
})

/** Charges one automatic top-up of an account, if one is due. */
export const topUpAccount = declareWorkflow<TopUpAccountInput>({
  type: 'topUpAccount',
  id: ({ accountId }) => `top-up:${accountId}`,
  owner: ({ accountId }) => ({ accountId }),
})

/**
 * Charges the saved card once. Times out after five minutes, for example without a worker, because the request no longer
 * waits for the outcome.
 */
export const chargeCard = declareWorkflow<ChargeCardInput, ChargeOutcome>({
  type: 'chargeCard',
  id: ({ intentId }) => `charge:${intentId}`,
  timeoutMs: 5 * 60_000,
})
