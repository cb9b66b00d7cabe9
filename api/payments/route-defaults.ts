import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { findCustomer, insertCustomer, listContacts } from '../../db/payments/customers.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { redirectTarget } from '../../domain/fields/redirects.ts'
import type { PaymentPort } from '../../providers/payment/index.ts'
import { resolveAccount, resolveReadable } from '../access/access.ts'
import type { RouteDeps, WorkDeps } from '../deps.ts'
import { standardRoute, type Caller, type Tag } from '../http/route.ts'
import { callWithRetries, providerTimeoutMs } from './provider-calls.ts'

export type PaymentDeps = WorkDeps & { payments: PaymentPort }

const routeDefaults = {
  ...standardRoute,
  envelope: 'plain',
} as const

/** Defaults of routes that move money for the account that the body names. */
export const bodyAccountRoute = {
  ...routeDefaults,
  widensAccess: true,
  ownership: 'The caller, or the account named by accountId that the caller may act for.',
} as const

/** Defaults of routes for the account in the path. Unknown and inaccessible accounts give the same error. */
export const pathAccountRoute = {
  ...routeDefaults,
  ownership: 'The account in the path, which must be the caller or an account that the caller may act for.',
  params: z.object({ id: uuid }),
} as const

export const hostedPageSchema = z.object({ id: z.string(), url: z.url() })

export const providerWait = { waitMs: providerTimeoutMs } as const

/** Returns the schema of return URLs, and the default return URL. */
export function createReturnUrls({ config }: Pick<RouteDeps, 'config'>) {
  const target = redirectTarget({ productionMode: config.PRODUCTION_MODE, origins: config.redirectOrigins })
  return { schema: target.optional(), defaultUrl: config.billingUrl }
}

export function authorizeRead(deps: RouteDeps) {
  return async ({ caller, params }: { caller: Caller; params: { id: string } }): Promise<void> => {
    await resolveReadable(deps, caller, params.id)
  }
}

export function authorizeChange(deps: RouteDeps) {
  return async ({ caller, params }: { caller: Caller; params: { id: string } }): Promise<void> => {
    await resolveAccount(deps, caller, params.id)
  }
}

/** Returns the provider's customer id of the account, and creates the customer if it is missing. */
export async function ensureCustomer(deps: PaymentDeps, accountId: string): Promise<string> {
  const customer = await findCustomer(deps.db, accountId)
  if (customer !== undefined) return customer.customerId
  const [email = null] = await listContacts(deps.db, accountId)
  const { customerId } = await callWithRetries(deps, (payments, signal) =>
    payments.ensureCustomer({ accountId, email }, { idempotencyKey: accountId, signal }),
  )
  await insertCustomer(deps.db, accountId, customerId)
  return (await findCustomer(deps.db, accountId))?.customerId ?? customerId
}

type KeyedRequest = { caller: Caller; headers: Readonly<Record<string, string | undefined>>; body: unknown }

/** Returns a hash of the caller, route, Idempotency-Key and body; undefined without a key or for an anonymous caller. */
export function hashRequestKey(route: string, { caller, headers, body }: KeyedRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || caller.accountId === '') return undefined
  return createHash('sha256')
    .update(JSON.stringify([caller.accountId, route, key, body]))
    .digest('hex')
}

/** Returns the idempotency key for the provider: `hashRequestKey`, or a random UUID without a client's key. */
export function createProviderKey(route: string, request: KeyedRequest): string {
  return hashRequestKey(route, request) ?? randomUUID()
}

export const paymentsTag: Tag = {
  name: 'Payments',
  description: 'Buying credits, the card on file and automatic top-ups.',
}

export const subscriptionsTag: Tag = {
  name: 'Subscriptions',
  description: 'Plans with a monthly payment.',
}
