import { ApplicationFailure } from '@temporalio/activity'
import { claimAutoTopUp, declineAutoTopUp } from '../db/payments/auto-top-up.ts'
import { findCustomer } from '../db/payments/customers.ts'
import { markCharged, readIntent } from '../db/payments/intents.ts'
import type { Intent } from '../db/payments/intents.ts'
import { findUnmirrored, markMirrored } from '../db/subscriptions.ts'
import type { UnmirroredOwner } from '../db/subscriptions.ts'
import { currency } from '../domain/payments.ts'
import { ProviderFault } from '../providers/fault.ts'
import type { ActivityDeps } from './deps.ts'
import { whileBeating } from './heartbeat.ts'

type PaymentDeps = Pick<ActivityDeps, 'db' | 'payments' | 'billing' | 'log' | 'taskRuns'>

const deadline = ({ billing }: PaymentDeps): AbortSignal => AbortSignal.timeout(billing.timeoutMs)

/** Trying again cannot help; the provider's words stay in our log. */
const hopeless = (deps: PaymentDeps, error: ProviderFault, what: string): ApplicationFailure => {
  deps.log.error({ err: error, alert: true }, what)
  return ApplicationFailure.nonRetryable(what)
}

const metadataOf = ({ id, accountId, credits }: Intent) => ({
  intentId: id,
  accountId,
  credits: String(credits),
  purpose: 'auto_topup',
})

/** The payment, or why the card said no. Anything else is thrown, for another try with the same key. */
const charge = async (deps: PaymentDeps, intent: Intent): Promise<{ paymentId: string } | { declined: string }> => {
  const customer = await findCustomer(deps.db, intent.accountId)
  const { cardId, id, totalCents } = intent
  if (customer === undefined || cardId === null) return { declined: 'card_missing' }
  const { customerId } = customer
  try {
    const { paymentId, status } = await deps.payments.chargeSavedCard(
      { customerId, cardId, amountCents: totalCents, currency, metadata: metadataOf(intent) },
      { idempotencyKey: id, signal: deadline(deps) },
    )
    if (status === 'succeeded' || status === 'pending') return { paymentId }
    return { declined: status === 'failed' ? 'card_declined' : status }
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    if (error.kind === 'declined') return { declined: error.code ?? 'card_declined' }
    if (error.kind === 'not_found') return { declined: 'card_missing' }
    if (!error.isRetryable) throw hopeless(deps, error, 'an automatic top-up was refused by the payment provider')
    // Nobody knows what came of it: should all tries end like this, the sweeper asks.
    await markCharged(deps.db, id, null)
    throw error
  }
}

const tellOwner = async (deps: PaymentDeps, owner: UnmirroredOwner): Promise<void> => {
  const idempotencyKey = `owner:${owner.subscriptionId}:${owner.accountId}`
  try {
    await deps.payments.setOwner(owner, { idempotencyKey, signal: deadline(deps) })
  } catch (error) {
    if (!(error instanceof ProviderFault) || error.isRetryable) throw error
    if (error.kind !== 'not_found') throw hopeless(deps, error, 'the payment provider does not take an owner')
  }
}

export const createPaymentActivities = (deps: PaymentDeps) => ({
  /** Safe to run again: the owner that the provider was told of is noted, and telling it twice changes nothing. */
  mirrorOwner: async ({ subscriptionId }: { subscriptionId: string }): Promise<void> => {
    let owner = await findUnmirrored(deps.db, subscriptionId)
    // Whoever takes it meanwhile joins this workflow, and is told of here.
    for (; owner !== undefined; owner = await findUnmirrored(deps.db, subscriptionId)) {
      await tellOwner(deps, owner)
      await markMirrored(deps.db, owner)
    }
  },

  /** Safe to run again: a run that was claimed and not charged is answered again. Null when none is due. */
  claimAutoTopUp: async ({ accountId }: { accountId: string }): Promise<{ intentId: string | null }> => ({
    intentId: (await claimAutoTopUp(deps.db, accountId, deps.taskRuns.plans)) ?? null,
  }),

  /** Safe to run again: the provider's key is the intent, and an intent that has ended is left alone. */
  chargeAutoTopUp: ({ intentId }: { intentId: string }): Promise<void> =>
    whileBeating(async () => {
      const intent = await readIntent(deps.db, intentId)
      if (intent.paymentId !== null || (intent.state !== 'created' && intent.state !== 'pending')) return
      const outcome = await charge(deps, intent)
      if ('declined' in outcome) {
        const { accountId } = intent
        const decline = { id: intentId, accountId, code: outcome.declined, billingUrl: deps.billing.url }
        await deps.db.begin((tx) => declineAutoTopUp(tx, decline))
      } else await markCharged(deps.db, intentId, outcome.paymentId)
    }),
})
