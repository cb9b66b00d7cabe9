import { ApplicationFailure } from '@temporalio/activity'
import { claimAutoTopUp } from '../../db/payments/auto-top-up.ts'
import { findUnmirrored, markMirrored, type UnmirroredOwner } from '../../db/payments/subscriptions.ts'
import type { ChargeOutcome } from '../../domain/payments/payments.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { chargeIntent, type PaymentDeps } from './charge.ts'

export function createPaymentActivities(deps: PaymentDeps) {
  return {
    /**
     * Copies the owner of a subscription to the provider. Safe to run again: the copied owner is recorded, and a
     * repeated update changes nothing.
     */
    mirrorOwner: async ({ subscriptionId }: { subscriptionId: string }): Promise<void> => {
      let owner = await findUnmirrored(deps.db, subscriptionId)
      // A change of the owner joins this workflow instead of starting another one, so the loop also copies the new owner.
      for (; owner !== undefined; owner = await findUnmirrored(deps.db, subscriptionId)) {
        await copyOwner(deps, owner)
        await markMirrored(deps.db, owner)
      }
    },

    /**
     * Claims an automatic top-up; null when none is due. Safe to run again: a claimed intent that was not charged is
     * returned again.
     */
    claimAutoTopUp: async ({ accountId }: { accountId: string }): Promise<{ intentId: string | null }> => ({
      intentId: (await claimAutoTopUp(deps.db, accountId, deps.billing.plans)) ?? null,
    }),

    /** Charges the card of an intent. Safe to run again: the intent id is the idempotency key, and a known result is kept. */
    chargeIntent: ({ intentId }: { intentId: string }): Promise<ChargeOutcome> =>
      withHeartbeat(() => chargeIntent(deps, intentId)),
  }
}

async function copyOwner(deps: PaymentDeps, owner: UnmirroredOwner): Promise<void> {
  const idempotencyKey = `owner:${owner.subscriptionId}:${owner.accountId}`
  try {
    await deps.payments.setOwner(owner, { idempotencyKey, signal: createTimeout(deps) })
  } catch (error) {
    if (!(error instanceof ProviderError) || error.isRetryable) throw error
    if (error.kind !== 'not_found')
      throw toPermanentFailure(deps, error, 'the payment provider rejected the owner of a subscription')
  }
}

function createTimeout({ billing }: PaymentDeps): AbortSignal {
  return AbortSignal.timeout(billing.timeoutMs)
}

/** Creates a failure that is not retried. The provider's message stays in the log. */
function toPermanentFailure(deps: PaymentDeps, error: ProviderError, message: string): ApplicationFailure {
  deps.log.error({ err: error, alert: true }, message)
  return ApplicationFailure.nonRetryable(message)
}
