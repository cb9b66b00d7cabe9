import {
  claimIntent,
  failIntent,
  markCharged,
  markDeclined,
  readIntent,
  recordCheckout,
} from '../../db/payments/intents.ts'
import type { Intent } from '../../db/payments/intents.ts'
import { findCustomer, saveDefaultCard } from '../../db/payments/customers.ts'
import { currency, declineReason, priceOf } from '../../domain/payments.ts'
import { ProviderFault } from '../../providers/fault.ts'
import type { PaymentStatus } from '../../providers/payment/index.ts'
import type { ApiDeps } from '../deps.ts'
import { ask, askOnce, sessionFailure } from './ask.ts'
import { customerOf } from './common.ts'
import { readDefaultCard } from './outside.ts'

export type TopUpRequest = {
  accountId: string
  credits: number
  successUrl: string
  requestKey: string | undefined
}
type Charged = { paymentIntentId: string; creditsPurchased: number; totalCents: number }
type Hosted = { id: string; url: string; declineReason?: { code: string; message: string } }
export type TopUp = { answer: Charged | Hosted; isReplay: boolean }

const metadataOf = (intent: Intent) => ({
  intentId: intent.id,
  accountId: intent.accountId,
  credits: String(intent.credits),
  purpose: 'credits_topup',
  createdAt: intent.createdAt.toISOString(),
})

const chargedAnswer = ({ credits, totalCents }: Intent, paymentId: string): Charged => ({
  paymentIntentId: paymentId,
  creditsPurchased: credits,
  totalCents,
})

type Outcome =
  | { is: 'charged'; paymentId: string }
  | { is: 'declined'; code: string }
  | { is: 'doubtful'; fault: ProviderFault }

const outcomeOf = ({ paymentId, status }: { paymentId: string; status: PaymentStatus }): Outcome => {
  if (status === 'succeeded' || status === 'pending') return { is: 'charged', paymentId }
  return { is: 'declined', code: status === 'failed' ? 'card_declined' : status }
}

/** It was taken off file at the provider: whoever asks next is asked for the card that is there now. */
const missingCard = async (deps: ApiDeps, customerId: string): Promise<Outcome> => {
  const found = await readDefaultCard(deps, customerId)
  if (found !== undefined) await saveDefaultCard(deps.db, found)
  return { is: 'declined', code: 'card_missing' }
}

/** What the card says: one repeat with the same key when the first try has no answer. */
const chargeCard = async (deps: ApiDeps, intent: Intent, customerId: string, cardId: string): Promise<Outcome> => {
  const { id, totalCents } = intent
  const charge = { customerId, cardId, amountCents: totalCents, currency, metadata: metadataOf(intent) }
  let doubt: ProviderFault | undefined
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    try {
      return outcomeOf(
        await askOnce(deps, (payments, signal) => payments.chargeSavedCard(charge, { idempotencyKey: id, signal })),
      )
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      if (error.kind === 'declined') return { is: 'declined', code: error.code ?? 'card_declined' }
      if (error.kind === 'not_found') return missingCard(deps, customerId)
      if (!error.isRetryable) {
        // Refused before it began, unless an earlier try of the same charge has no answer yet.
        if (doubt === undefined && intent.state === 'created') await failIntent(deps.db, id)
        throw sessionFailure(deps, error)
      }
      doubt = error
    }
  }
  return { is: 'doubtful', fault: doubt ?? new ProviderFault('timeout', 'the card was not charged in time') }
}

const openCheckout = async (deps: ApiDeps, intent: Intent): Promise<Hosted> => {
  const { id, accountId, credits, successUrl, declineCode } = intent
  const { cents, feeCents } = priceOf(credits)
  const { billingUrl } = deps.config
  try {
    const customerId = await customerOf(deps, accountId)
    const { sessionId, url } = await ask(deps, (payments, signal) =>
      payments.createCheckout(
        {
          mode: 'payment',
          customerId,
          lines: [
            { name: 'Credits', amountCents: cents },
            { name: 'Processing fee', amountCents: feeCents },
          ],
          saveCard: true,
          successUrl: successUrl ?? billingUrl,
          cancelUrl: billingUrl,
          metadata: metadataOf(intent),
        },
        { idempotencyKey: `checkout:${id}`, signal },
      ),
    )
    await recordCheckout(deps.db, id, sessionId)
    return { id: sessionId, url, ...(declineCode !== null && { declineReason: declineReason(declineCode) }) }
  } catch (error) {
    throw sessionFailure(deps, error)
  }
}

/** Takes an intent as far as it goes now. Safe to repeat: every effect has a key of the intent. */
const carryOut = async (deps: ApiDeps, intent: Intent): Promise<Charged | Hosted> => {
  if (intent.path === 'checkout') return openCheckout(deps, intent)
  if (intent.paymentId !== null) return chargedAnswer(intent, intent.paymentId)
  const customer = await findCustomer(deps.db, intent.accountId)
  const outcome: Outcome =
    customer === undefined || intent.cardId === null
      ? { is: 'declined', code: 'card_missing' }
      : await chargeCard(deps, intent, customer.customerId, intent.cardId)
  if (outcome.is === 'declined') {
    await markDeclined(deps.db, intent.id, declineReason(outcome.code).code)
    return openCheckout(deps, await readIntent(deps.db, intent.id))
  }
  await markCharged(deps.db, intent.id, outcome.is === 'charged' ? outcome.paymentId : null)
  if (outcome.is === 'doubtful') throw sessionFailure(deps, outcome.fault)
  return chargedAnswer(intent, outcome.paymentId)
}

const twinPollMs = 50
const twinPatienceMs = 10_000

/** The intent once whoever made it knows more than its beginning, or after ten seconds as it is. */
const settledTwin = async ({ db }: ApiDeps, twin: Intent): Promise<Intent> => {
  const deadline = Date.now() + twinPatienceMs
  for (let seen = twin; ; seen = await readIntent(db, twin.id)) {
    if (seen.state !== 'created' || seen.checkoutId !== null || Date.now() >= deadline) return seen
    await new Promise((resolve) => setTimeout(resolve, twinPollMs))
  }
}

/**
 * Buys credits: the intent first, then the card on file, else a hosted page. The balance changes by the webhook alone.
 * An equal charge of the last minute is not made again: its answer is repeated.
 */
export const topUp = async (deps: ApiDeps, request: TopUpRequest): Promise<TopUp> => {
  const { accountId, credits, successUrl, requestKey } = request
  const cardId = (await findCustomer(deps.db, accountId))?.defaultCard?.id ?? null
  const { intent, isTwin } = await claimIntent(deps.db, {
    accountId,
    purpose: 'topup',
    credits,
    totalCents: priceOf(credits).totalCents,
    path: cardId === null ? 'checkout' : 'card',
    cardId,
    successUrl,
    requestKey,
  })
  if (!isTwin) return { answer: await carryOut(deps, intent), isReplay: false }
  const settled = await settledTwin(deps, intent)
  // The charge that this one was taken for was refused by the provider itself: nothing stands in the way any more.
  if (settled.state === 'failed') return topUp(deps, request)
  return { answer: await carryOut(deps, settled), isReplay: true }
}
