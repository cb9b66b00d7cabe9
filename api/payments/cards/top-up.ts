import { WorkflowFailedError } from '@temporalio/client'
import { claimIntent, readIntent, recordCheckout, type Intent } from '../../../db/payments/intents.ts'
import { findCustomer } from '../../../db/payments/customers.ts'
import { declineReason, intentMetadata, computePrice, type ChargeOutcome } from '../../../domain/payments/payments.ts'
import { EngineTimeoutError } from '../../../engine/client.ts'
import { ProviderError } from '../../../providers/errors/provider-error.ts'
import { callWithRetries, providerTimeoutMs, toCheckoutError } from '../provider-calls.ts'
import { ensureCustomer, type PaymentDeps } from '../route-defaults.ts'
import { chargeCard } from '../../../workflows/payments/messages.ts'

export type TopUpRequest = {
  accountId: string
  credits: number
  successUrl: string
  requestKey: string | undefined
}
type ChargeResult = { paymentIntentId: string; creditsPurchased: number; totalCents: number }
type CheckoutPage = { id: string; url: string; declineReason?: { code: string; message: string } }
export type TopUp = { response: ChargeResult | CheckoutPage; isReplay: boolean }

/**
 * Buys credits: creates an intent, and then charges the card on file or opens a checkout page. Only the webhook changes
 * the balance. If an equal charge was requested within the last minute, returns its response instead of charging again.
 */
export async function topUp(
  deps: PaymentDeps,
  { accountId, credits, successUrl, requestKey }: TopUpRequest,
): Promise<TopUp> {
  const cardId = (await findCustomer(deps.db, accountId))?.defaultCard?.id ?? null
  const { intent, isDuplicate } = await claimIntent(deps.db, {
    accountId,
    purpose: 'topup',
    credits,
    totalCents: computePrice(credits).totalCents,
    path: cardId === null ? 'checkout' : 'card',
    cardId,
    successUrl,
    requestKey,
  })
  return { response: await executeIntent(deps, intent), isReplay: isDuplicate }
}

/** Executes the remaining steps of an intent. Safe to repeat: every effect has an idempotency key of the intent. */
async function executeIntent(deps: PaymentDeps, intent: Intent): Promise<ChargeResult | CheckoutPage> {
  const existing = findResponse(deps, intent)
  if (existing !== undefined) return existing
  const outcome = await charge(deps, intent.id)
  const response = findResponse(deps, await readIntent(deps.db, intent.id))
  if (response === undefined) throw toChargeError(deps, outcome)
  return response
}

/** Returns the checkout page or the charge of an intent; undefined if the card was not charged or the outcome is unknown. */
function findResponse(
  deps: PaymentDeps,
  intent: Intent,
): Promise<ChargeResult | CheckoutPage> | ChargeResult | undefined {
  if (intent.path === 'checkout') return openCheckout(deps, intent)
  return intent.paymentId === null || intent.state === 'failed' ? undefined : toChargeResult(intent, intent.paymentId)
}

async function openCheckout(deps: PaymentDeps, intent: Intent): Promise<CheckoutPage> {
  const { id, accountId, credits, successUrl, declineCode } = intent
  const { cents, feeCents } = computePrice(credits)
  const { billingUrl } = deps.config
  try {
    const customerId = await ensureCustomer(deps, accountId)
    const { sessionId, url } = await callWithRetries(deps, (payments, signal) =>
      payments.createCheckout(
        {
          mode: 'payment',
          customerId,
          lines: [
            { name: 'Credits', amountCents: cents },
            { name: 'Processing fee', amountCents: feeCents },
          ],
          saveCard: true,
          successUrl: (successUrl ?? billingUrl).replaceAll('{PAYMENT_ID}', id),
          cancelUrl: billingUrl,
          metadata: intentMetadata(intent),
        },
        { idempotencyKey: `checkout:${id}`, signal },
      ),
    )
    await recordCheckout(deps.db, id, sessionId)
    return { id: sessionId, url, ...(declineCode !== null && { declineReason: declineReason(declineCode) }) }
  } catch (error) {
    throw toCheckoutError(deps, error)
  }
}

function toChargeResult({ credits, totalCents }: Intent, paymentId: string): ChargeResult {
  return {
    paymentIntentId: paymentId,
    creditsPurchased: credits,
    totalCents,
  }
}

/** Runs the workflow that charges the card, and returns the outcome. After a timeout, the workflow may still charge it. */
async function charge({ engine }: PaymentDeps, intentId: string): Promise<ChargeOutcome> {
  try {
    return await engine.join(chargeCard, { intentId: intentId }, providerTimeoutMs)
  } catch (error) {
    if (!(error instanceof EngineTimeoutError || error instanceof WorkflowFailedError)) throw error
    return { is: 'unknown', cause: 'timeout' }
  }
}

function toChargeError(deps: PaymentDeps, outcome: ChargeOutcome): unknown {
  return outcome.is === 'unknown'
    ? toCheckoutError(deps, new ProviderError(outcome.cause, 'the outcome of the charge is unknown', outcome))
    : toCheckoutError(deps, new ProviderError('invalid', 'the charge was declined'))
}
