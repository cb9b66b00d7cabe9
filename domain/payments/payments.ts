/** A card at the payment provider, without its number. */
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

/** An equal purchase within this time is treated as a repetition. */
export const sameChargeSeconds = 60

export type Price = { cents: number; totalCents: number; feeCents: number }

/**
 * Computes the card price of credits in US cents. `totalCents` is the smallest amount that leaves at least `cents` after
 * the card fee of 2.9% + 30 cents. Uses integers only.
 */
export function computePrice(credits: number): Price {
  const cents = Math.floor((credits + creditsPerCent - 1) / creditsPerCent)
  const totalCents = Math.floor(((cents + 30) * 1000 + 970) / 971)
  return { cents, totalCents, feeCents: totalCents - cents }
}

const declineTexts: Record<string, string> = {
  authentication_required: 'The card requires confirmation by its owner',
  expired_card: 'The card has expired',
  insufficient_funds: 'The card has insufficient funds',
  card_missing: 'The saved card no longer exists',
}

/** Maps the provider's decline code to a client error. The provider's own message never reaches a client. */
export function declineReason(code: string | null | undefined): { code: string; message: string } {
  const safeCode = code !== null && code !== undefined && /^[a-z0-9_]{1,64}$/.test(code) ? code : 'card_declined'
  return { code: safeCode, message: declineTexts[safeCode] ?? 'The card was declined' }
}

/** Metadata of an intent's payment at the provider. Equal for all attempts, because a repeated request must be identical. */
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
 * Outcome of charging the card of an intent. `unknown`: the provider did not respond, so the card may have been charged.
 * `refused`: the provider rejects the request with any card.
 */
export type ChargeOutcome =
  | { is: 'charged' | 'declined' | 'refused' }
  | { is: 'unknown'; cause: 'rate_limited' | 'capacity' | 'timeout' | 'unavailable'; retryAfterSeconds?: number }

/** Minimum interval between automatic top-ups of an account. */
export const autoTopUpGapSeconds = 600
