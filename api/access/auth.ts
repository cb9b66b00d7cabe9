import type { IncomingMessage } from 'node:http'
import { recordFirstAuthentication, type PersonAccount } from '../../db/accounts/people.ts'
import { findKeyOwner, hashKey, recordKeyUse } from '../../db/accounts/keys.ts'
import { findSignInAccount } from '../../db/accounts/console-sign-ins.ts'
import { turnLimits } from '../../config/providers/models.ts'
import { personOrigin } from '../../domain/runs/origin.ts'
import { isConsoleBearer, verifyConsoleBearer } from '../../providers/identity/console-bearer.ts'
import type { IdentityPort } from '../../providers/identity/index.ts'
import { ApiError } from '../http/errors.ts'
import type { RequestHeaders } from '../http/answers/headers.ts'
import type { Caller, Route } from '../http/route.ts'
import type { WorkDeps } from '../deps.ts'

export type AuthDeps = Pick<WorkDeps, 'config' | 'db'> & { identity: IdentityPort }

/** Returns the account of the person with this email. Creates the account at the first sign-in. */
type EnsurePerson = (email: string, address: string) => Promise<PersonAccount>

type CachedCaller = { caller: Caller; expiresAt: number }
type Lookup = { freshUntil: number; result: Promise<CachedCaller | undefined> }

// Bounds how long a revoked key keeps working on any process.
export const lookupCacheTtlMs = 1000
const maxCacheEntries = 10_000
const keyUseIntervalMs = 60_000
const maxKeyLength = 256

/** Throws 401 for a repeated credential header: Node keeps only the first value, and a proxy may have checked another. */
export function rejectRepeatedCredentials({ rawHeaders }: IncomingMessage, auth: Route['auth']): void {
  const names = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (name !== 'authorization' && name !== 'x-api-key') continue
    if (names.has(name)) throw unauthorized('Send exactly one of x-api-key and Authorization', auth)
    names.add(name)
  }
}

/** Creates a function that resolves the credential of a request from `address` to a caller, or throws 401. */
export function createAuthenticator(deps: AuthDeps, ensurePerson: EnsurePerson) {
  const { config, db } = deps
  const serverSecret = config.SERVER_SECRET
  if (serverSecret === undefined) throw new Error('SERVER_SECRET has no value')
  const lookUpCached = createLookupCache()

  const limits = turnLimits(config)

  const findKey = async (key: string): Promise<CachedCaller | undefined> => {
    if (!key.startsWith('sk_') || key.length > maxKeyLength) return undefined
    const owner = await findKeyOwner(db, hashKey(serverSecret, key))
    if (owner === undefined) return undefined
    const { accountId, keyId, runId, expiresAt, lastUsed } = owner
    if (owner.firstAuthenticatedAt === null) await recordFirstAuthentication(db, accountId)
    if (lastUsed === null || lastUsed.getTime() + keyUseIntervalMs <= Date.now()) await recordKeyUse(db, keyId)
    return {
      caller: {
        accountId,
        via: 'key',
        keyId,
        ephemeral: expiresAt !== null,
        expiresAt: expiresAt ?? undefined,
        origin: runId === null ? personOrigin('api') : { source: 'api', run: { id: runId, limits } },
      },
      expiresAt: expiresAt?.getTime() ?? Infinity,
    }
  }

  const findPerson = async (token: string, address: string): Promise<CachedCaller | undefined> => {
    const verified = await deps.identity.verify(token)
    if (verified === undefined) return undefined
    const { accountId, firstAuthenticatedAt } = await ensurePerson(verified.email, address)
    if (firstAuthenticatedAt === null) await recordFirstAuthentication(db, accountId)
    const { expiresAt } = verified
    const caller: Caller = { accountId, via: 'bearer', ephemeral: false, expiresAt, origin: personOrigin('web') }
    return { caller, expiresAt: Infinity }
  }

  const findSignIn = async (token: string): Promise<CachedCaller | undefined> => {
    const verified = await verifyConsoleBearer(serverSecret, token)
    const accountId = verified && (await findSignInAccount(db, verified.signInId))
    if (verified === undefined || accountId === undefined) return undefined
    const { signInId, expiresAt } = verified
    const caller: Caller = {
      accountId,
      via: 'bearer',
      signInId,
      ephemeral: false,
      expiresAt,
      origin: personOrigin('web'),
    }
    return { caller, expiresAt: expiresAt.getTime() }
  }

  return async (headers: RequestHeaders, auth: Route['auth'], address: string): Promise<Caller> => {
    const credential = readCredential(headers, auth)
    const isKey = headers['x-api-key'] !== undefined || credential.startsWith('sk_')
    const cachedCaller = isKey
      ? await lookUpCached(`key ${credential}`, () => findKey(credential))
      : await lookUpCached(`token ${credential}`, () =>
          isConsoleBearer(credential) ? findSignIn(credential) : findPerson(credential, address),
        )
    if (cachedCaller === undefined || cachedCaller.expiresAt <= Date.now()) throw unauthorized('Unauthorized', auth)
    return cachedCaller.caller
  }
}

function unauthorized(text: string, auth: Route['auth']): ApiError {
  return new ApiError('unauthorized', text, {
    ...(auth === 'key-bearer-or-basic' && { headers: { 'www-authenticate': 'Basic realm="Backline"' } }),
  })
}

/** Caches a successful lookup for one second after its start. Concurrent lookups of a credential share one result. */
function createLookupCache() {
  const lookups = new Map<string, Lookup>()
  const removeExpired = (now: number): void => {
    for (const [credential, { freshUntil }] of lookups) {
      if (freshUntil > now && lookups.size < maxCacheEntries) return
      lookups.delete(credential)
    }
  }
  return (credential: string, lookUp: () => Promise<CachedCaller | undefined>): Promise<CachedCaller | undefined> => {
    const now = Date.now()
    const cached = lookups.get(credential)
    if (cached !== undefined && cached.freshUntil > now) return cached.result
    lookups.delete(credential)
    removeExpired(now)
    const lookup = { freshUntil: now + lookupCacheTtlMs, result: lookUp() }
    const removeLookup = (): void => {
      if (lookups.get(credential) === lookup) lookups.delete(credential)
    }
    lookups.set(credential, lookup)
    lookup.result.then((cachedCaller) => cachedCaller ?? removeLookup(), removeLookup)
    return lookup.result
  }
}

/** Returns the credential of a request. Throws 401 unless the request has exactly one well-formed credential. */
function readCredential(headers: RequestHeaders, auth: Route['auth']): string {
  const key = headers['x-api-key']
  const { authorization } = headers
  if ((key === undefined) === (authorization === undefined))
    throw unauthorized('Send exactly one of x-api-key and Authorization', auth)
  if (key !== undefined) return key
  if (auth === 'key') throw unauthorized('This endpoint accepts x-api-key only', auth)
  const secret = auth === 'key-bearer-or-basic' ? basicSecret(authorization ?? '') : undefined
  if (secret !== undefined) return secret
  const token = /^Bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw unauthorized('Unauthorized', auth)
  return token
}

/** Returns the password of Basic credentials, or the user name for clients that send the key there. */
function basicSecret(authorization: string): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':')
  return password.join(':') || user
}
