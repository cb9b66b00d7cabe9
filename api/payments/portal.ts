import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { listSubscriptions } from '../../db/payments/subscriptions.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { chooseSubscription } from '../../domain/payments/subscriptions.ts'
import { resolveAccount } from '../access/access.ts'
import { ApiError } from '../http/errors.ts'
import { route, ok, type Route } from '../http/route.ts'
import { callOrFail } from './provider-calls.ts'
import {
  authorizeChange,
  hostedPageSchema,
  bodyAccountRoute,
  pathAccountRoute,
  createReturnUrls,
  providerWait,
  subscriptionsTag,
  type PaymentDeps,
} from './route-defaults.ts'

const portalDefaults = {
  ...providerWait,
  tag: subscriptionsTag,
  method: 'POST',
  widensAccess: true,
  responses: { 200: hostedPageSchema },
  errors: ['forbidden', 'bad_gateway', 'unavailable'],
} as const

export function portalRoutes(deps: PaymentDeps): Route[] {
  const returnUrls = createReturnUrls(deps)
  return [
    route({
      ...bodyAccountRoute,
      ...portalDefaults,
      path: '/api/subscriptions/portal',
      summary: 'Create a portal page for the subscription of the account in the body',
      example: { accountId: '3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42' },
      body: z.object({ returnUrl: returnUrls.schema, accountId: uuid.optional() }),
      bodyOptional: true,
      authorize: ({ caller, body }) => resolveAccount(deps, caller, body.accountId),
      handle: ({ caller, body }) =>
        openPortal(deps, body.accountId ?? caller.accountId, body.returnUrl ?? returnUrls.defaultUrl),
    }),
    route({
      ...pathAccountRoute,
      ...portalDefaults,
      path: '/api/accounts/{id}/portal',
      summary: "Create a portal page for an account's subscription",
      example: {},
      body: z.object({ returnUrl: returnUrls.schema }),
      bodyOptional: true,
      authorize: authorizeChange(deps),
      handle: ({ params, body }) => openPortal(deps, params.id, body.returnUrl ?? returnUrls.defaultUrl),
    }),
  ]
}

async function openPortal(deps: PaymentDeps, accountId: string, returnUrl: string) {
  const ownSubscriptions = (await listSubscriptions(deps.db, accountId)).filter(({ isOwn }) => isOwn)
  const subscription = chooseSubscription(ownSubscriptions)
  if (subscription === undefined) throw new ApiError('invalid_request', 'The account has no subscription')
  const { customerId } = subscription
  // The key is random, because a repeated key would return an earlier page, which may have expired.
  const idempotencyKey = `portal:${randomUUID()}`
  const { id, url } = await callOrFail(deps, (payments, signal) =>
    payments.createPortal({ customerId, returnUrl }, { idempotencyKey, signal }),
  )
  return ok({ id, url })
}
