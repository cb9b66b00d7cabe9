import { randomBytes } from 'node:crypto'

type Fields = Record<string, unknown>
export type StripeObject = Fields & { id: string; object: string; metadata: Record<string, string> }
type SentEvent = { type: string; object: StripeObject }

const readSeconds = (): number => Math.floor(Date.now() / 1000)

/** Declines of test cards on a page. */
const pageDeclines: Record<string, { code: string; decline_code?: string } | undefined> = {
  '4000000000000002': { code: 'card_declined', decline_code: 'generic_decline' },
  '4000000000009995': { code: 'card_declined', decline_code: 'insufficient_funds' },
  '4000000000000069': { code: 'expired_card' },
}
const savedCardDeclines: typeof pageDeclines = {
  ...pageDeclines,
  '4000000000000341': { code: 'card_declined', decline_code: 'generic_decline' },
  '4000002760003184': { code: 'authentication_required', decline_code: 'authentication_required' },
}
const cardNumbers = new WeakMap<StripeObject, string>()

/** Creates the store of the fake Stripe for its objects and events. */
export const createStripeStore = () => {
  const objects = new Map<string, StripeObject>()
  const events: SentEvent[] = []

  const create = (object: string, prefix: string, fields: Fields): StripeObject => {
    const id = `${prefix}_${randomBytes(12).toString('hex')}`
    const item = { metadata: {}, ...fields, id, object, created: readSeconds(), livemode: false }
    objects.set(id, item)
    return item
  }
  const find = (id: string, object: string): StripeObject | undefined => {
    const item = objects.get(id)
    return item?.object === object ? item : undefined
  }
  const list = (object: string): StripeObject[] =>
    [...objects.values()].filter((item) => item.object === object).toReversed()
  const emit = (type: string, object: StripeObject): void => void events.push({ type, object: structuredClone(object) })

  const addCard = (customer: unknown, number: string): StripeObject => {
    const card = { brand: 'visa', last4: number.slice(-4), exp_month: 12, exp_year: 2040, funding: 'credit' }
    const method = create('payment_method', 'pm', { type: 'card', customer, card })
    cardNumbers.set(method, number)
    return method
  }
  const pay = (fields: Fields & { payment_method: StripeObject | undefined }, isPresent: boolean) => {
    const { payment_method: method, ...rest } = fields
    const number = (method && cardNumbers.get(method)) ?? ''
    const refusal = isPresent ? pageDeclines[number] : savedCardDeclines[number]
    const intent = create('payment_intent', 'pi', {
      ...rest,
      payment_method: method?.id ?? null,
      status: refusal === undefined ? 'succeeded' : 'requires_payment_method',
      last_payment_error: refusal === undefined ? null : { type: 'card_error', ...refusal },
    })
    emit(refusal === undefined ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', intent)
    return { intent, refusal }
  }
  return { create, find, list, emit, events, addCard, pay }
}
export type StripeStore = ReturnType<typeof createStripeStore>
