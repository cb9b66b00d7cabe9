import { normalizeEmail } from '../../../../domain/mail/addresses.ts'
import type { CardDraft, ProviderCard } from '../../../../domain/payments/provider.ts'
import { testCards } from '../cards.ts'

/** Input error of the card form, with a message for the user. */
export class FormError extends Error {
  override readonly name = 'FormError'
}

/** Parses the card of a submitted form: a saved card by its id, or a new card. The card number is not returned. */
export function readCardForm(
  form: URLSearchParams,
  context: { saved: ProviderCard[]; email: string | null; needsEmail: boolean; now: Date },
): CardDraft {
  const email = context.email ?? normalizeEmail(form.get('email') ?? '') ?? null
  if (context.needsEmail && email === null) throw new FormError('Enter an email address.')
  const chosen = form.get('card') ?? 'new'
  const card = chosen === 'new' ? parseNewCard(form, context.now) : findSavedCard(context.saved, chosen)
  return { ...card, email }
}

function parseNewCard(form: URLSearchParams, now: Date): Omit<CardDraft, 'email'> {
  const number = (form.get('number') ?? '').replaceAll(/[\s-]/g, '')
  const card = testCards.find((testCard) => testCard.number === number)
  if (card === undefined)
    throw new FormError('This is not a test card. Real cards are not accepted: use one of the numbers below.')
  if (!/^\d{3,4}$/.test((form.get('cvc') ?? '').trim()))
    throw new FormError('The security code must have 3 or 4 digits.')
  const { brand, behaviour } = card
  return { id: null, behaviour, brand, last4: number.slice(-4), ...parseExpiry(form.get('expiry') ?? '', now) }
}

function parseExpiry(text: string, now: Date): { expMonth: number; expYear: number } {
  const [, month, year] = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d\d)\s*$/.exec(text) ?? []
  const expMonth = Number(month)
  const expYear = 2000 + Number(year)
  if (month === undefined || expMonth < 1 || expMonth > 12) throw new FormError('The expiry must have the form 12/34.')
  if (Date.UTC(expYear, expMonth) <= now.getTime()) throw new FormError('The card has expired.')
  return { expMonth, expYear }
}

function findSavedCard(saved: ProviderCard[], id: string): Omit<CardDraft, 'email'> {
  const card = saved.find((savedCard) => savedCard.id === id)
  if (card === undefined) throw new FormError('This card was removed. Choose another card.')
  const { behaviour, brand, last4, expMonth, expYear } = card
  return { id, behaviour, brand, last4, expMonth, expYear }
}
