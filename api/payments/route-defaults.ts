import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { findCustomer, insertCustomer, listContacts } from '../../db/payments/customers.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { redirectTarget } from '../../domain/fields/redirects.ts'
import { resolveAccount, resolveReadable } from '../access/access.ts'
import type { ApiDeps } from '../deps.ts'
import { kibibytes, type Caller } from '../http/route.ts'
import { ask, askMs } from './ask.ts'

const routeDefaults = {
  auth: 'key-or-bearer',
  envelope: 'plain',
  bodyLimit: kibibytes(256),
  rate: 'default',
} as const

/** Routes of the account that the body names: they move money. */
export const ofBody = {
  ...routeDefaults,
  widensAccess: true,
  ownership: 'The caller, or the account named by accountId that the caller may act for.',
} as const

/** Routes of the account in the path. An unknown account answers like one that is denied. */
export const ofPath = {
  ...routeDefaults,
  ownership: 'The account of the path, when the caller is it or may act for it.',
  params: z.object({ id: uuid }),
} as const

export const hosted = z.object({ id: z.string(), url: z.url() })

export const waits = { waitMs: askMs } as const

/** Where a browser may be sent back to, as this deployment has it. */
export function targetsOf({ config }: Pick<ApiDeps, 'config'>) {
  const target = redirectTarget({ productionMode: config.PRODUCTION_MODE, origins: config.redirectOrigins })
  return { optional: target.optional(), standard: config.billingUrl }
}

export function authorizeRead(deps: ApiDeps) {
  return async ({ caller, params }: { caller: Caller; params: { id: string } }): Promise<void> => {
    await resolveReadable(deps, caller, params.id)
  }
}

export function authorizeChange(deps: ApiDeps) {
  return async ({ caller, params }: { caller: Caller; params: { id: string } }): Promise<void> => {
    await resolveAccount(deps, caller, params.id)
  }
}

/** The provider's id of the account's customer, who is made when there is none. */
export async function customerOf(deps: ApiDeps, accountId: string): Promise<string> {
  const known = await findCustomer(deps.db, accountId)
  if (known !== undefined) return known.customerId
  const [email = null] = await listContacts(deps.db, accountId)
  const { customerId } = await ask(deps, (payments, signal) =>
    payments.ensureCustomer({ accountId, email }, { idempotencyKey: accountId, signal }),
  )
  await insertCustomer(deps.db, accountId, customerId)
  return (await findCustomer(deps.db, accountId))?.customerId ?? customerId
}

type Keyed = { caller: Caller; headers: Readonly<Record<string, string | undefined>>; body: unknown }

/** What a client named its request by, as a hash; undefined for a request without an Idempotency-Key. */
export function requestKeyOf(route: string, { caller, headers, body }: Keyed): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || caller.accountId === '') return undefined
  return createHash('sha256')
    .update(JSON.stringify([caller.accountId, route, key, body]))
    .digest('hex')
}

/** Under which the provider does the effect of a request once. */
export function providerKeyOf(route: string, request: Keyed): string {
  return requestKeyOf(route, request) ?? randomUUID()
}
