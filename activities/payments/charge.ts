import { Context } from '@temporalio/activity'
import { declineAutoTopUp } from '../../db/payments/auto-top-up.ts'
import { findCustomer, readClock, saveDefaultCard } from '../../db/payments/customers.ts'
import { failIntent, markCharged, markDeclined, readIntent, type Intent } from '../../db/payments/intents.ts'
import { currency, declineReason, intentMetadata, type ChargeOutcome } from '../../domain/payments/payments.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import type { PaymentPort, PaymentStatus } from '../../providers/payment/index.ts'
import type { PlanRules } from '../../domain/credits/plans.ts'
import type { LogDeps } from '../deps.ts'

export type PaymentDeps = LogDeps & {
  payments: PaymentPort
  /** Timeout of a payment request, URL of the page where an account adds credits, and rules of the plans. */
  billing: { timeoutMs: number; url: string; plans: PlanRules }
}

type ChargeResult =
  | { is: 'charged'; paymentId: string }
  | { is: 'declined'; code: string }
  | Extract<ChargeOutcome, { is: 'unknown' }>
  | { is: 'refused' }

/** Charges the card of an intent. The intent id is the idempotency key, so repeated calls charge once. */
export async function chargeIntent(deps: PaymentDeps, intentId: string): Promise<ChargeOutcome> {
  const intent = await readIntent(deps.db, intentId)
  const result = findKnownResult(intent) ?? (await chargeDefaultCard(deps, intent))
  await recordResult(deps, intent, result)
  return result.is === 'unknown' ? result : { is: result.is }
}

/** Returns the result of an intent that was charged, declined or failed earlier; undefined if it must be charged. */
function findKnownResult({ path, paymentId, state, declineCode }: Intent): ChargeResult | undefined {
  if (state === 'failed') return declineCode === null ? { is: 'refused' } : { is: 'declined', code: declineCode }
  if (path === 'checkout') return { is: 'declined', code: declineCode ?? 'card_declined' }
  if (paymentId !== null) return { is: 'charged', paymentId }
  return state === 'created' || state === 'pending' ? undefined : { is: 'refused' }
}

async function chargeDefaultCard(deps: PaymentDeps, intent: Intent): Promise<ChargeResult> {
  const customer = await findCustomer(deps.db, intent.accountId)
  const { cardId, totalCents: amountCents } = intent
  if (customer === undefined || cardId === null) return { is: 'declined', code: 'card_missing' }
  const { customerId } = customer
  try {
    return toChargeResult(
      await deps.payments.chargeSavedCard(
        { customerId, cardId, amountCents, currency, metadata: intentMetadata(intent) },
        { idempotencyKey: intent.id, signal: createTimeout(deps) },
      ),
    )
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'not_found') await rereadCard(deps, customerId)
    return toErrorResult(deps, intent, error)
  }
}

function toChargeResult({ paymentId, status }: { paymentId: string; status: PaymentStatus }): ChargeResult {
  if (status === 'succeeded' || status === 'pending') return { is: 'charged', paymentId }
  return { is: 'declined', code: status === 'failed' ? 'card_declined' : status }
}

function createTimeout({ billing }: Pick<PaymentDeps, 'billing'>): AbortSignal {
  return AbortSignal.timeout(billing.timeoutMs)
}

/**
 * Rereads the customer's default card after the provider did not find the stored card, so that the next charge uses it.
 */
async function rereadCard({ db, payments, log, ...deps }: PaymentDeps, customerId: string): Promise<void> {
  try {
    const readAt = await readClock(db)
    const card = await payments.getDefaultCard(customerId, { signal: createTimeout(deps) })
    await saveDefaultCard(db, { customerId, card, readAt })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.warn({ err: error }, 'failed to read the default card of a customer')
  }
}

function toErrorResult(deps: PaymentDeps, { id }: Intent, error: ProviderError): ChargeResult {
  const { kind, code, retryAfterSeconds } = error
  switch (kind) {
    case 'declined':
      return { is: 'declined', code: code ?? 'card_declined' }
    case 'not_found':
      return { is: 'declined', code: 'card_missing' }
    case 'rate_limited':
    case 'capacity':
    case 'timeout':
    case 'unavailable':
      return { is: 'unknown', cause: kind, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
    default:
      deps.log.error({ err: error, intentId: id, alert: true }, 'the payment provider rejected a card charge')
      return { is: 'refused' }
  }
}

async function recordResult(deps: PaymentDeps, intent: Intent, result: ChargeResult): Promise<void> {
  switch (result.is) {
    case 'charged':
      return markCharged(deps.db, intent.id, result.paymentId)
    case 'unknown':
      // If no retry follows, the sweeper reads the state of the charge from the provider.
      return markPending(deps, intent)
    case 'declined':
      return decline(deps, intent, result.code)
    default:
      if (isFirstAttempt(intent)) await failIntent(deps.db, intent.id)
  }
}

/** Records that the outcome of a charge is unknown. */
function markPending({ db }: PaymentDeps, { id }: Intent): Promise<void> {
  return markCharged(db, id, null)
}

/** Records a declined card. A manual purchase continues on a checkout page. */
async function decline(deps: PaymentDeps, intent: Intent, code: string): Promise<void> {
  if (intent.purpose === 'topup') return markDeclined(deps.db, intent.id, declineReason(code).code)
  await deps.db.begin((tx) => declineAutoTopUp(tx, intent, { code, billingUrl: deps.billing.url }))
}

/** True if no earlier attempt can have reached the card. Only then can a rejected charge fail the intent. */
function isFirstAttempt({ state }: Intent): boolean {
  return state === 'created' && Context.current().info.attempt === 1
}
