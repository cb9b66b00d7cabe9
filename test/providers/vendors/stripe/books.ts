import { randomBytes } from 'node:crypto'

type Fields = Record<string, unknown>
export type Thing = Fields & { id: string; object: string; metadata: Record<string, string> }
type SentEvent = { type: string; object: Thing }

const seconds = (): number => Math.floor(Date.now() / 1000)

/** Reasons why a test card is declined. */
const refusals: Record<string, { code: string; decline_code?: string } | undefined> = {
  '4000000000000002': { code: 'card_declined', decline_code: 'generic_decline' },
  '4000000000009995': { code: 'card_declined', decline_code: 'insufficient_funds' },
  '4000000000000069': { code: 'expired_card' },
}
const refusalsLater: typeof refusals = {
  ...refusals,
  '4000000000000341': { code: 'card_declined', decline_code: 'generic_decline' },
  '4000002760003184': { code: 'authentication_required', decline_code: 'authentication_required' },
}
const numbers = new WeakMap<Thing, string>()

/** The objects of the fake Stripe and the events about them. */
export const createBooks = () => {
  const things = new Map<string, Thing>()
  const events: SentEvent[] = []

  const make = (object: string, prefix: string, fields: Fields): Thing => {
    const id = `${prefix}_${randomBytes(12).toString('hex')}`
    const thing = { metadata: {}, ...fields, id, object, created: seconds(), livemode: false }
    things.set(id, thing)
    return thing
  }
  const find = (id: string, object: string): Thing | undefined => {
    const thing = things.get(id)
    return thing?.object === object ? thing : undefined
  }
  const list = (object: string): Thing[] => [...things.values()].filter((thing) => thing.object === object).toReversed()
  const emit = (type: string, object: Thing): void => void events.push({ type, object: structuredClone(object) })

  const addCard = (customer: unknown, number: string): Thing => {
    const card = { brand: 'visa', last4: number.slice(-4), exp_month: 12, exp_year: 2040, funding: 'credit' }
    const method = make('payment_method', 'pm', { type: 'card', customer, card })
    numbers.set(method, number)
    return method
  }
  const pay = (fields: Fields & { payment_method: Thing | undefined }, isPresent: boolean) => {
    const { payment_method: method, ...rest } = fields
    const number = (method && numbers.get(method)) ?? ''
    const refusal = isPresent ? refusals[number] : refusalsLater[number]
    const intent = make('payment_intent', 'pi', {
      ...rest,
      payment_method: method?.id ?? null,
      status: refusal === undefined ? 'succeeded' : 'requires_payment_method',
      last_payment_error: refusal === undefined ? null : { type: 'card_error', ...refusal },
    })
    emit(refusal === undefined ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', intent)
    return { intent, refusal }
  }
  return { make, find, list, emit, events, addCard, pay }
}
export type Books = ReturnType<typeof createBooks>
