import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { clearSavedCard, findCustomer, readClock, saveDefaultCard } from '../../../db/payments/customers.ts'
import { uuid } from '../../../domain/fields/fields.ts'
import type { Card } from '../../../domain/payments/payments.ts'
import { resolveAccount } from '../../access/access.ts'
import { emptyResponse, route, ok, type Route } from '../../http/route.ts'
import { callWithRetries, isMissing, toProviderError } from '../provider-calls.ts'
import {
  authorizeChange,
  authorizeRead,
  ensureCustomer,
  hostedPageSchema,
  bodyAccountRoute,
  pathAccountRoute,
  createProviderKey,
  createReturnUrls,
  providerWait,
  paymentsTag,
  type PaymentDeps,
} from '../route-defaults.ts'
import { toWire } from '../../../domain/wire.ts'

const errors = ['invalid_request', 'unauthorized', 'forbidden', 'bad_gateway', 'unavailable'] as const

const card = z.object({
  brand: z.string(),
  last4: z.string(),
  exp_month: z.int(),
  exp_year: z.int(),
  funding: z.string(),
})

type SetupRequest = { accountId: string; successUrl: string; idempotencyKey: string }

const path = '/api/accounts/{id}/payment-method'
const cardOnFile = '/api/subscriptions/card-on-file'

export function cardRoutes(deps: PaymentDeps): Route[] {
  const returnUrls = createReturnUrls(deps)
  return [
    route({
      ...pathAccountRoute,
      ...providerWait,
      tag: paymentsTag,
      method: 'GET',
      path,
      summary: 'Read the card on file',
      responses: { 200: z.object({ account_id: z.guid(), card: card.nullable() }) },
      errors,
      authorize: authorizeRead(deps),
      handle: async ({ params }) => {
        const savedCard = await readCard(deps, params.id)
        return ok({ account_id: params.id, card: savedCard && toWire(card, savedCard) })
      },
    }),
    route({
      ...pathAccountRoute,
      ...providerWait,
      tag: paymentsTag,
      method: 'POST',
      path,
      summary: 'Create a hosted page that saves a card',
      idempotent: 'before-validation',
      widensAccess: true,
      example: {},
      body: z.object({ successUrl: returnUrls.schema }),
      bodyOptional: true,
      responses: { 200: hostedPageSchema },
      errors,
      authorize: authorizeChange(deps),
      handle: async (request) => {
        const { id: accountId } = request.params
        const { sessionId: id, url } = await openSetup(deps, {
          accountId,
          successUrl: request.body.successUrl ?? returnUrls.defaultUrl,
          idempotencyKey: createProviderKey(`POST ${path} ${accountId}`, request),
        })
        return ok({ id, url })
      },
    }),
    route({
      ...pathAccountRoute,
      ...providerWait,
      tag: paymentsTag,
      method: 'DELETE',
      path,
      summary: 'Remove all saved cards',
      widensAccess: true,
      description: 'Also disables automatic top-up. The call is safe to repeat.',
      responses: { 204: emptyResponse('No card is on file.') },
      errors,
      authorize: authorizeChange(deps),
      handle: async ({ params }) => {
        await removeCards(deps, params.id)
        return { status: 204 }
      },
    }),
    route({
      ...bodyAccountRoute,
      ...providerWait,
      tag: paymentsTag,
      method: 'POST',
      path: cardOnFile,
      summary: 'Create a hosted page that saves a card, for the account in the body',
      idempotent: 'before-validation',
      example: { accountId: '3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42' },
      body: z.object({ successUrl: returnUrls.schema, accountId: uuid.optional() }),
      bodyOptional: true,
      responses: { 200: hostedPageSchema },
      errors,
      authorize: ({ caller, body }) => resolveAccount(deps, caller, body.accountId),
      handle: async (request) => {
        const { sessionId: id, url } = await openSetup(deps, {
          accountId: request.body.accountId ?? request.caller.accountId,
          successUrl: request.body.successUrl ?? returnUrls.defaultUrl,
          idempotencyKey: createProviderKey(`POST ${cardOnFile}`, request),
        })
        return ok({ id, url })
      },
    }),
  ]
}

/**
 * Reads the card from the provider, stores it and returns it. Features that require a card on file (email to other
 * addresses, top-ups) can then use it even if the webhook of its checkout has not arrived.
 */
async function readCard(deps: PaymentDeps, accountId: string): Promise<Card | null> {
  const customer = await findCustomer(deps.db, accountId)
  if (customer === undefined) return null
  const { customerId } = customer
  try {
    const readAt = await readClock(deps.db)
    const defaultCard = await callWithRetries(deps, (payments, signal) =>
      payments.getDefaultCard(customerId, { signal }),
    )
    await saveDefaultCard(deps.db, { customerId, card: defaultCard, readAt })
    return defaultCard
  } catch (error) {
    if (isMissing(error)) return null
    throw toProviderError(deps, error)
  }
}

async function openSetup(deps: PaymentDeps, { accountId, successUrl, idempotencyKey }: SetupRequest) {
  try {
    const customerId = await ensureCustomer(deps, accountId)
    const metadata = { accountId, purpose: 'card_on_file', createdAt: new Date().toISOString() }
    return await callWithRetries(deps, (payments, signal) =>
      payments.createCheckout(
        { mode: 'setup', customerId, saveCard: true, successUrl, cancelUrl: deps.config.billingUrl, metadata },
        { idempotencyKey, signal },
      ),
    )
  } catch (error) {
    throw toProviderError(deps, error)
  }
}

async function removeCards(deps: PaymentDeps, accountId: string): Promise<void> {
  const customer = await findCustomer(deps.db, accountId)
  if (customer !== undefined) {
    const idempotencyKey = `detach:${randomUUID()}`
    try {
      await callWithRetries(deps, (payments, signal) =>
        payments.detachCards(customer.customerId, { idempotencyKey, signal }),
      )
    } catch (error) {
      if (!isMissing(error)) throw toProviderError(deps, error)
    }
  }
  await deps.db.begin((tx) => clearSavedCard(tx, accountId))
}
