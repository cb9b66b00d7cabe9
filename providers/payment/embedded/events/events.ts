import { z } from 'zod'
import { parseJson } from '../../../../domain/fields/json.ts'
import type { ProviderPayment, ProviderSession } from '../../../../domain/payments/provider.ts'
import { ProviderError } from '../../../errors/provider-error.ts'
import type { Checkout, Payment, PaymentEvent } from '../../index.ts'
import { currency, type EmbeddedProvider } from '../provider.ts'
import { newId } from '../secrets.ts'
import { verifySignature, signatureHeader } from './signature.ts'
import type { ProviderRows } from '../store.ts'

const metadata = z.record(z.string(), z.string())

const checkout = z.object({
  sessionId: z.string(),
  mode: z.enum(['payment', 'subscription', 'setup']),
  paid: z.boolean(),
  paymentId: z.string().nullable(),
  amountCents: z.int().nullable(),
  currency: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  customerId: z.string().nullable(),
  cardId: z.string().nullable(),
  email: z.string().nullable(),
  metadata,
})

const payment = z.object({
  paymentId: z.string(),
  status: z.enum(['succeeded', 'pending', 'authentication_required', 'failed']),
  amountCents: z.int(),
  currency: z.string(),
  declineCode: z.string().optional(),
  metadata,
})

const data = z.object({
  paymentId: z.string().optional(),
  checkout: checkout.optional(),
  payment: payment.optional(),
  subscriptionId: z.string().optional(),
  customerId: z.string().optional(),
})

const types = [
  'payment_succeeded',
  'payment_failed',
  'checkout_completed',
  'subscription_changed',
  'invoice_paid',
  'refund_or_dispute',
] as const

const envelope = z.object({
  id: z.string(),
  type: z.enum(types).or(z.string().transform(() => 'unknown' as const)),
  created: z.int(),
  livemode: z.boolean(),
  data,
})

export type EventData = z.input<typeof data>
type EventType = (typeof types)[number]

/** Stores an event in the transaction of the change that it reports, so that both or neither are committed. */
export async function insertEvent(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  type: EventType,
  objectId: string,
  data: EventData,
): Promise<void> {
  const id = newId('evt')
  const now = provider.now()
  const event: z.input<typeof envelope> = {
    id,
    type,
    created: Math.floor(now.getTime() / 1000),
    livemode: false,
    data,
  }
  await rows.insertEvent({ id, type, objectId, payload: JSON.stringify(event), nextAttemptAt: now })
}

export function verifyEvent(
  { secret, now }: Pick<EmbeddedProvider, 'secret' | 'now'>,
  headers: Readonly<Record<string, string | undefined>>,
  body: Buffer,
): PaymentEvent {
  verifySignature(secret, headers[signatureHeader], body, now())
  const parsed = envelope.safeParse(tryParseJson(body))
  if (!parsed.success) throw new ProviderError('invalid', 'the event is malformed')
  const { id: eventId, type, livemode: liveMode, data } = parsed.data
  return { eventId, type, liveMode, ...data }
}

export function toPayment({ id, status, code, amountCents, currency, metadata }: ProviderPayment): Payment {
  const declineCode = code ?? (status === 'authentication_required' ? status : undefined)
  return {
    paymentId: id,
    status,
    amountCents,
    currency,
    ...(declineCode !== undefined && { declineCode }),
    metadata,
  }
}

export function sumLines({ request }: Pick<ProviderSession, 'request'>): number {
  return request.lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
}

/** Converts a checkout session for events. `amountCents` is the amount due today. */
export function toCheckout(session: ProviderSession, computeDueToday: (priceId: string | null) => number): Checkout {
  const { kind, request, completedAt } = session
  if (kind === 'portal') throw new ProviderError('not_found', 'the checkout does not exist')
  const amountCents = { payment: sumLines(session), subscription: computeDueToday(request.priceId), setup: null }[kind]
  return {
    sessionId: session.id,
    mode: kind,
    paid: completedAt !== null,
    paymentId: session.paymentId,
    amountCents: kind === 'subscription' && request.trialDays > 0 ? 0 : amountCents,
    currency: kind === 'setup' ? null : currency,
    subscriptionId: session.subscriptionId,
    customerId: session.customerId,
    cardId: session.cardId,
    email: session.email,
    metadata: request.metadata,
  }
}

function tryParseJson(body: Buffer): unknown {
  try {
    return parseJson(body.toString('utf8'))
  } catch {
    return undefined
  }
}
