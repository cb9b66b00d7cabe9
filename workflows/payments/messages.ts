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

/** One automatic top-up, if one is due. */
export const topUpAccount = declareWorkflow<TopUpAccountInput>({
  type: 'topUpAccount',
  id: ({ accountId }) => `top-up:${accountId}`,
  owner: ({ accountId }) => ({ accountId }),
})

/**
 * One charge of the saved card. Times out after five minutes without a worker, because the request no longer waits for
 * it.
 */
export const chargeCard = declareWorkflow<ChargeCardInput, ChargeOutcome>({
  type: 'chargeCard',
  id: ({ intentId }) => `charge:${intentId}`,
  timeoutMs: 5 * 60_000,
})
