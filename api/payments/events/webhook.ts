import { z } from 'zod'
import { insertPaymentEvent, isPaymentEventKnown } from '../../../db/payments/book.ts'
import type { PaymentEvent } from '../../../providers/payment/index.ts'
import { recordAuditObject } from '../../access/audit.ts'
import { paymentsTag, type PaymentDeps } from '../route-defaults.ts'
import { maxWebhookBytes, verifySigned } from '../../http/body/signed.ts'
import type { Metrics } from '../../monitoring/metrics.ts'
import { route, ok, type Route } from '../../http/route.ts'
import { applyEvent } from './apply.ts'
import { readProviderState } from './provider-state.ts'

export function webhookRoute(deps: PaymentDeps, metrics: Metrics): Route {
  return route({
    method: 'POST',
    path: '/api/webhooks/payments',
    tag: paymentsTag,
    summary: 'Receive an event of the payment provider',
    description:
      'The provider signs the bytes of the body. The embedded provider sends `x-payment-signature: t=<unix ' +
      "seconds>,v1=<hex HMAC-SHA256 of '<t>.<body>'>`; an external provider uses its own header. A repeated event has no " +
      'effect.',
    auth: 'none',
    audited: 'successes',
    ownership: 'Returns no account data. Changes only the objects of the signed event.',
    envelope: 'plain',
    bodyLimit: maxWebhookBytes,
    rate: 'default',
    streamedBody: 'application/json',
    responses: { 200: z.object({ received: z.literal(true) }) },
    errors: ['invalid_request', 'payload_too_large', 'unsupported_media_type'],
    handle: async (request) => {
      const verify = (body: Buffer) => deps.payments.verifyEvent(request.headers, body)
      const errorMessage = 'The signature is missing, wrong or too old'
      const event = await verifySigned(request, verify, 'invalid_request', errorMessage)
      recordAuditObject(request.caller, event.eventId)
      await processEvent(deps, metrics, event)
      return ok({ received: true })
    },
  })
}

/** Reads all external data first, then stores the event and its effects in one transaction. A repeated event has no effect. */
async function processEvent(deps: PaymentDeps, metrics: Metrics, event: PaymentEvent): Promise<void> {
  const { eventId, type, liveMode, otherApiVersion } = event
  if (type === 'unknown' || liveMode !== deps.payments.liveMode) return
  if (otherApiVersion !== undefined)
    deps.log.warn(
      { eventId, type, apiVersion: otherApiVersion },
      "a payment event has another version of the provider's API: create the webhook endpoint with the version of this service",
    )
  // An unreadable event is not stored, so that the provider can send it again in a version that this service supports.
  if (type === 'unreadable') return alertOperator(deps, metrics, event, 'unreadable_event')
  if (await isPaymentEventKnown(deps.db, eventId)) return
  const providerState = await readProviderState(deps, event)
  const paymentRef = pickPaymentRef(event)
  const result = await deps.db.begin(async (tx) =>
    (await insertPaymentEvent(tx, { eventId, type, paymentRef }))
      ? applyEvent(tx, deps, event, providerState)
      : undefined,
  )
  if (result?.alert !== undefined) alertOperator(deps, metrics, event, result.alert)
  result?.afterCommit?.()
}

function alertOperator({ log }: PaymentDeps, metrics: Metrics, event: PaymentEvent, reason: string): void {
  metrics.paymentAlerts.inc({ reason })
  const { eventId, type } = event
  log.error({ eventId, type, paymentRef: pickPaymentRef(event), reason, alert: true }, 'a payment needs manual review')
}

function pickPaymentRef({ paymentId, payment, subscriptionId }: PaymentEvent): string | undefined {
  return paymentId ?? payment?.paymentId ?? subscriptionId
}
