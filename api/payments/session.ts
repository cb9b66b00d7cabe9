import { z } from 'zod'
import { uuid } from '../../domain/fields/fields.ts'
import { resolveAccount } from '../access/access.ts'
import { route, type Route } from '../http/route.ts'
import { providerTimeoutMs } from './provider-calls.ts'
import {
  hostedPageSchema,
  bodyAccountRoute,
  hashRequestKey,
  createReturnUrls,
  paymentsTag,
  type PaymentDeps,
} from './route-defaults.ts'
import { topUp } from './cards/top-up.ts'

const chargeSchema = z.object({
  paymentIntentId: z.string(),
  creditsPurchased: z.int().min(1),
  totalCents: z.int().min(1).meta({ description: 'Credits and fee, in US cents.' }),
})

const checkoutSchema = hostedPageSchema.extend({
  declineReason: z
    .object({ code: z.string(), message: z.string() })
    .optional()
    .meta({ description: 'Reason why the card on file was not charged.' }),
})

export function sessionRoute(deps: PaymentDeps): Route {
  const returnUrls = createReturnUrls(deps)
  return route({
    ...bodyAccountRoute,
    tag: paymentsTag,
    method: 'POST',
    path: '/api/credits/sessions',
    summary: 'Buy credits',
    description:
      'Charges the card on file and returns `paymentIntentId`, or returns the `url` of a hosted checkout. The credits are added to the balance when the payment provider has confirmed the payment. Without an Idempotency-Key, an identical card charge within a minute is not executed, and the response of the first charge is returned.',
    rate: 'checkouts',
    idempotent: 'before-validation',
    waitMs: 2 * providerTimeoutMs,
    example: { credits: 5_000_000 },
    body: z.object({
      credits: z
        .int()
        .min(1)
        .max(deps.config.TOPUP_MAX_CREDITS)
        .meta({ description: '1,000,000 credits = 1.00 USD. The fee is 2.9% + 0.30 USD.' }),
      successUrl: returnUrls.schema.meta({
        description: '`{PAYMENT_ID}` is replaced by the id of the purchase in `GET /api/accounts/{id}/payments`.',
      }),
      accountId: uuid.optional(),
    }),
    responses: { 200: z.union([chargeSchema, checkoutSchema]) },
    errors: ['bad_gateway'],
    authorize: ({ caller, body }) => resolveAccount(deps, caller, body.accountId),
    handle: async (request) => {
      const { caller, body } = request
      const { response, isReplay } = await topUp(deps, {
        accountId: body.accountId ?? caller.accountId,
        credits: body.credits,
        successUrl: body.successUrl ?? returnUrls.defaultUrl,
        requestKey: hashRequestKey('POST /api/credits/sessions', request),
      })
      return { status: 200, body: response, ...(isReplay && { headers: { 'idempotency-replayed': 'true' } }) }
    },
  })
}
