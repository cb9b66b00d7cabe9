import { Context } from '@temporalio/activity'
import { declineAutoTopUp } from '../../db/payments/auto-top-up.ts'
import { findCustomer, readClock, saveDefaultCard } from '../../db/payments/customers.ts'
import { failIntent, markCharged, markDeclined, readIntent, type Intent } from '../../db/payments/intents.ts'
import { currency, declineReason, intentMetadata, type ChargeOutcome } from '../../domain/payments/payments.ts'
import { ProviderError } from '../../providers/fault.ts'
import type { PaymentStatus } from '../../providers/payment/index.ts'
import type { ActivityDeps } from '../deps.ts'

type ChargeDeps = Pick<ActivityDeps, 'db' | 'payments' | 'billing' | 'log'>

type ChargeResult =
  | { is: 'charged'; paymentId: string }
  | { is: 'declined'; code: string }
  | Extract<ChargeOutcome, { is: 'unknown' }>
  | { is: 'refused' }

/** Charges the card of an intent. The intent id is the idempotency key, so repeated calls charge once. */
export async function chargeIntent(deps: ChargeDeps, intentId: string): Promise<ChargeOutcome> {
  const intent = await readIntent(deps.db, intentId)
  const answer = before(intent) ?? (await chargeDefaultCard(deps, intent))
  await note(deps, intent, answer)
  return answer.is === 'unknown' ? answer : { is: answer.is }
}

/** Returns the outcome that is known without a charge request: an earlier result, or an intent that was closed. */
function before({ path, paymentId, state, declineCode }: Intent): ChargeResult | undefined {
  if (state === 'failed') return declineCode === null ? { is: 'refused' } : { is: 'declined', code: declineCode }
  if (path === 'checkout') return { is: 'declined', code: declineCode ?? 'card_declined' }
  if (paymentId !== null) return { is: 'charged', paymentId }
  return state === 'created' || state === 'pending' ? undefined : { is: 'refused' }
}

async function chargeDefaultCard(deps: ChargeDeps, intent: Intent): Promise<ChargeResult> {
  const customer = await findCustomer(deps.db, intent.accountId)
  const { cardId, totalCents: amountCents } = intent
  if (customer === undefined || cardId === null) return { is: 'declined', code: 'card_missing' }
  const { customerId } = customer
  try {
    return toChargeResult(
      await deps.payments.chargeSavedCard(
        { customerId, cardId, amountCents, currency, metadata: intentMetadata(intent) },
        { idempotencyKey: intent.id, signal: deadline(deps) },
      ),
    )
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'not_found') await rereadCard(deps, customerId)
    return declineResult(deps, intent, error)
  }
}

function toChargeResult({ paymentId, status }: { paymentId: string; status: PaymentStatus }): ChargeResult {
  if (status === 'succeeded' || status === 'pending') return { is: 'charged', paymentId }
  return { is: 'declined', code: status === 'failed' ? 'card_declined' : status }
}

function deadline({ billing }: ChargeDeps): AbortSignal {
  return AbortSignal.timeout(billing.timeoutMs)
}

/**
 * The provider no longer knows the card. Rereads the customer's cards, so that the next charge uses the current one.
 */
async function rereadCard({ db, payments, log, ...deps }: ChargeDeps, customerId: string): Promise<void> {
  try {
    const readAt = await readClock(db)
    const card = await payments.getDefaultCard(customerId, { signal: deadline({ db, payments, log, ...deps }) })
    await saveDefaultCard(db, { customerId, card, readAt })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.warn({ err: error }, 'failed to read the card on file')
  }
}

function declineResult(deps: ChargeDeps, { id }: Intent, fault: ProviderError): ChargeResult {
  const { kind, code, retryAfterSeconds } = fault
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
      deps.log.error({ err: fault, intentId: id, alert: true }, 'the payment provider rejected the charge of a card')
      return { is: 'refused' }
  }
}

async function note(deps: ChargeDeps, intent: Intent, answer: ChargeResult): Promise<void> {
  switch (answer.is) {
    case 'charged':
      return markCharged(deps.db, intent.id, answer.paymentId)
    case 'unknown':
      // If the charge is not retried, the sweeper reads its state from the provider.
      return markCharged(deps.db, intent.id, null)
    case 'declined':
      return decline(deps, intent, answer.code)
    default:
      if (isUntouched(intent)) await failIntent(deps.db, intent.id)
  }
}

/** An automatic top-up is declined. A manual purchase continues on a checkout page. */
async function decline(deps: ChargeDeps, intent: Intent, code: string): Promise<void> {
  if (intent.purpose === 'topup') return markDeclined(deps.db, intent.id, declineReason(code).code)
  await deps.db.begin((tx) => declineAutoTopUp(tx, intent, { code, billingUrl: deps.billing.url }))
}

/** True when the charge was refused before it began and no earlier attempt can have reached the card. */
function isUntouched({ state }: Intent): boolean {
  return state === 'created' && Context.current().info.attempt === 1
}
