import type { Logger } from 'pino'
import type { Pool } from '../../db/postgres/client.ts'
import { listDueTopUps } from '../../db/payments/auto-top-up.ts'
import {
  bookFailure,
  bookPayment,
  claimUnmatchedPayments,
  type FailedPayment,
  type ReportedPayment,
} from '../../db/payments/book.ts'
import { failIntent, claimSilentIntents, type Intent } from '../../db/payments/intents.ts'
import { delayMirroring, listUnmirrored } from '../../db/payments/subscriptions.ts'
import type { PlanRules } from '../../domain/credits/plans.ts'
import type { Engine } from '../../engine/client.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import type { PaymentPort } from '../../providers/payment/index.ts'
import { isOutage, type EachRow, type ReportRow } from './runtime/rows.ts'
import { mirrorOwner, topUpAccount } from '../../workflows/payments/messages.ts'
import type { Sweep } from './runtime/loop.ts'

export const paymentSweeps: Sweep[] = [
  { name: 'start top-ups', everySeconds: 5, run: startTopUps },
  { name: 'mirror owners', everySeconds: 5, run: mirrorOwners },
  { name: 'settle silent purchases', everySeconds: 5, alone: true, run: settleSilentIntents },
  { name: 'tell of unmatched payments', everySeconds: 60, run: alertUnmatched },
]

export type PaymentSweepDeps = {
  db: Pool
  payments: PaymentPort
  engine: Pick<Engine, 'start'>
  log: Logger
  eachRow: EachRow
  report: ReportRow
  settings: { paymentTimeoutMs: number; paymentSweepSeconds: number; billingUrl: string; plans: PlanRules }
}

const maxIntents = 50

/** A checkout page accepts payments for one day; one more hour covers a payment made shortly before it expires. */
const checkoutLifetimeMs = 25 * 60 * 60 * 1000

/** Maximum time until a charge request has reached the provider and can be read there. */
const chargeLifetimeMs = 6 * 60 * 1000

type ChargeState =
  | (ReportedPayment & { status: 'succeeded' })
  | (FailedPayment & { status: 'failed' })
  | 'open'
  | 'missing'

/** Alerts the operator to payments that match neither a purchase nor, after an hour, a subscription. */
export async function alertUnmatched({ db, log }: Pick<PaymentSweepDeps, 'db' | 'log'>): Promise<void> {
  for (const payment of await claimUnmatchedPayments(db))
    log.error({ ...payment, reason: 'unknown_intent', alert: true }, 'a payment needs manual review')
}

/** Starts due automatic top-ups, because the debits that make them due do not start them. */
function startTopUps({ db, engine, eachRow, settings }: PaymentSweepDeps): Promise<void> {
  return eachRow(
    'start top-ups',
    (page) => listDueTopUps(db, settings.plans, page),
    ({ id }) => engine.start(topUpAccount, { accountId: id }),
  )
}

/** Copies new subscription owners to the provider. */
function mirrorOwners({ db, engine, eachRow }: PaymentSweepDeps): Promise<void> {
  return eachRow(
    'mirror owners',
    (page) => listUnmirrored(db, page),
    async ({ id }) => {
      // Delays the next attempt before the start, so that an immediate failure is not retried immediately.
      await delayMirroring(db, id)
      await engine.start(mirrorOwner, { subscriptionId: id })
    },
  )
}

/** Reads the state of purchases whose webhook did not arrive, and records it as the webhook would. */
async function settleSilentIntents(deps: PaymentSweepDeps): Promise<void> {
  for (const intent of await claimSilentIntents(deps.db, deps.settings.paymentSweepSeconds, maxIntents)) {
    try {
      await settle(deps, intent)
    } catch (error) {
      if (isOutage(error)) deps.log.warn({ err: error, intentId: intent.id }, 'a purchase will be checked again later')
      else deps.report('settle silent purchases', intent.id, error)
    }
  }
}

async function settle(deps: PaymentSweepDeps, intent: Intent): Promise<void> {
  const isCheckout = intent.path === 'checkout'
  const charge = await (isCheckout ? findPaidCheckout : findPayment)(deps, intent).catch(missingIfUnknown)
  const isExpired = Date.now() - intent.createdAt.getTime() > (isCheckout ? checkoutLifetimeMs : chargeLifetimeMs)
  if (charge === 'missing' || (charge === 'open' && isCheckout)) {
    // The card was never charged, or the checkout page expired unpaid.
    if (isExpired) await failIntent(deps.db, intent.id)
    return
  }
  if (charge === 'open') return
  const booking = await deps.db.begin((tx) =>
    charge.status === 'succeeded'
      ? bookPayment(tx, charge)
      : bookFailure(tx, charge, deps.settings).then(() => 'known' as const),
  )
  const ids = { intentId: intent.id, paymentId: charge.paymentId }
  if (booking === 'credited') deps.log.info(ids, 'booked a payment whose webhook was lost')
  else if (booking !== 'known')
    deps.log.error({ ...ids, reason: booking, alert: true }, 'a payment needs manual review')
}

async function findPaidCheckout({ payments, settings }: PaymentSweepDeps, intent: Intent): Promise<ChargeState> {
  if (intent.checkoutId === null) return 'open'
  const signal = AbortSignal.timeout(settings.paymentTimeoutMs)
  const { paid, paymentId, amountCents, currency } = await payments.getCheckout(intent.checkoutId, { signal })
  if (!paid || paymentId === null) return 'open'
  const sum = { amountCents: amountCents ?? 0, currency: currency ?? '' }
  return { status: 'succeeded', paymentId, ...sum, intentId: intent.id }
}

async function findPayment({ payments, settings }: PaymentSweepDeps, intent: Intent): Promise<ChargeState> {
  const reference = intent.paymentId === null ? { intentId: intent.id } : { paymentId: intent.paymentId }
  const payment = await payments.getPayment(reference, { signal: AbortSignal.timeout(settings.paymentTimeoutMs) })
  const { paymentId, status, amountCents, currency, declineCode: code } = payment
  const ids = { paymentId, intentId: intent.id }
  if (status === 'pending') return 'open'
  // A charge that requires authentication is recorded as declined, because the customer is not present.
  return status === 'succeeded' ? { status, ...ids, amountCents, currency } : { status: 'failed', ...ids, code }
}

function missingIfUnknown(error: unknown): 'missing' {
  if (error instanceof ProviderError && error.kind === 'not_found') return 'missing'
  throw error
}
