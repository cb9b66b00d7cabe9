/** A card as the payment provider names it; never its number. */
export type Card = {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  funding: string
  /** Identifies the card number across customers; absent if the provider does not report it. */
  fingerprint?: string
}

export const creditsPerCent = 10_000
export const currency = 'usd'

/** A purchase equal to one that is younger than this is taken for the same one. */
export const sameChargeSeconds = 60

export type Price = { cents: number; totalCents: number; feeCents: number }

/**
 * What so many credits cost by card: whole US cents, and with them the fee that leaves these cents after the card's
 * 2.9% + 30 cents. Integers only.
 */
export function computePrice(credits: number): Price {
  const cents = Math.floor((credits + creditsPerCent - 1) / creditsPerCent)
  const totalCents = Math.floor(((cents + 30) * 1000 + 970) / 971)
  return { cents, totalCents, feeCents: totalCents - cents }
}

const declineTexts: Record<string, string> = {
  authentication_required: 'The card asks for a confirmation by its owner',
  expired_card: 'The card has expired',
  insufficient_funds: 'The card has insufficient funds',
  card_missing: 'The saved card is no longer there',
}

/** Why a card said no, in words of our own: the provider's words never reach a client. */
export function declineReason(code: string | null | undefined): { code: string; message: string } {
  const known = code !== null && code !== undefined && /^[a-z0-9_]{1,64}$/.test(code) ? code : 'card_declined'
  return { code: known, message: declineTexts[known] ?? 'The card was declined' }
}

/** What the provider keeps with a payment of an intent. The same for each try: a repeat must be the same request. */
export function intentMetadata(intent: {
  id: string
  accountId: string
  credits: number
  purpose: 'topup' | 'auto_topup'
  createdAt: Date
}) {
  return {
    intentId: intent.id,
    accountId: intent.accountId,
    credits: String(intent.credits),
    ...(intent.purpose === 'topup'
      ? { purpose: 'credits_topup', createdAt: intent.createdAt.toISOString() }
      : { purpose: intent.purpose }),
  }
}

/**
 * What came of asking the card of an intent. `unknown`: the provider gave no answer, so it may have been charged;
 * `refused`: the provider takes no such request, whatever the card.
 */
export type ChargeOutcome =
  | { is: 'charged' | 'declined' | 'refused' }
  | { is: 'unknown'; cause: 'rate_limited' | 'capacity' | 'timeout' | 'unavailable'; retryAfterSeconds?: number }

/** Automatic top-ups of one account are at least this far apart. */
export const autoTopUpGapSeconds = 600
