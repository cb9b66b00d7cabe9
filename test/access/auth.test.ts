import { randomUUID } from 'node:crypto'
import { SignJWT, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IdentityUnavailableError } from '../../providers/identity/index.ts'
import { issueBearer, tokenRequest } from '../world/bearer.ts'
import { createWorld, eventually, type Sent, type World } from '../world/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const whoAmI = (sent: Sent) => world.request<{ accountId: string; error: string }>('GET', '/api/accounts/id', sent)

const requestToken = (email: string) => world.request('POST', '/identity/token', { body: tokenRequest(world, email) })
const issueToken = (email: string): Promise<string> => issueBearer(world, email)

const expect401 = async (sent: Sent, text: string) => {
  const response = await whoAmI(sent)
  expect([response.status, response.body]).toEqual([401, { status: 'error', error: text, message: text }])
}

/** Sends requests until one is rejected. Returns the time at which the last accepted request was sent. */
const useUntilRejected = async (key: string): Promise<number> => {
  let lastAccepted = 0
  await eventually('a rejected request', async () => {
    const sentAt = Date.now()
    if ((await whoAmI({ key })).status === 401) return true
    lastAccepted = sentAt
    return undefined
  })
  return lastAccepted
}

describe('a key', () => {
  test('authenticates its account', async () => {
    const { id, key } = await world.makeAccount()
    expect(await whoAmI({ key })).toMatchObject({
      status: 200,
      body: { status: 'success', accountId: id, account_id: id },
    })
  })

  test('may be sent as a bearer token', async () => {
    const { id, key } = await world.makeAccount()
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect(await whoAmI({ headers: { authorization: `${scheme} ${key}` } })).toMatchObject({
        body: { accountId: id },
      })
  })

  test('is rejected once it expires, even right after it was accepted', async () => {
    const { id } = await world.makeAccount()
    const expiresAt = Date.now() + 2000
    const key = await world.makeKey(id, { expiresAt: new Date(expiresAt) })
    expect((await whoAmI({ key })).status).toBe(200)
    expect(await useUntilRejected(key)).toBeLessThan(expiresAt)
  })

  test('is rejected within a second of its deletion', async () => {
    const { id, key } = await world.makeAccount()
    expect((await whoAmI({ key })).status).toBe(200)
    await world.db`delete from account_api_keys where account_id = ${id}`
    const deletedAt = Date.now()
    expect((await useUntilRejected(key)) - deletedAt).toBeLessThan(1500)
  })

  test('records its last use once a minute, and the first authentication of its account once', async () => {
    const { id, key } = await world.makeAccount()
    const read = async () => {
      const [row] = await world.db<{ lastUsed: Date; first: Date }[]>`
        select last_used as "lastUsed", first_authenticated_at as first
        from account_api_keys join accounts on accounts.id = account_id where account_id = ${id}`
      return row
    }
    await whoAmI({ key })
    const before = await read()
    expect(before?.lastUsed).toBeInstanceOf(Date)
    await world.db`update account_api_keys set last_used = now() - interval '61 seconds' where account_id = ${id}`
    await eventually('the second write', async () => {
      await whoAmI({ key })
      return ((await read())?.lastUsed.getTime() ?? 0) > Date.now() - 30_000 ? true : undefined
    })
    expect((await read())?.first).toEqual(before?.first)
  })

  test('is stored only as an HMAC', async () => {
    const { id, key } = await world.makeAccount()
    const rows = await world.db<
      { hash: string }[]
    >`select key_hash as hash from account_api_keys where account_id = ${id}`
    expect(rows.map(({ hash }) => hash)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
    expect(JSON.stringify(rows)).not.toContain(key)
  })
})

describe('a request returns 401', () => {
  const one = 'Send exactly one of x-api-key and Authorization'
  test.each<[string, Sent, string]>([
    ['without a credential', {}, one],
    ['with both, even if one is empty', { key: '', headers: { authorization: 'Bearer x' } }, one],
    ['with an empty key', { key: '' }, 'Unauthorized'],
    ['with an empty bearer', { headers: { authorization: 'Bearer ' } }, 'Unauthorized'],
    ['with another scheme', { headers: { authorization: 'Basic eDp5' } }, 'Unauthorized'],
    ['with a malformed key', { key: 'abc' }, 'Unauthorized'],
    ['with an unknown key as bearer', { bearer: `sk_${'a'.repeat(43)}` }, 'Unauthorized'],
    ['with a malformed token', { bearer: 'a.b.c' }, 'Unauthorized'],
  ])('%s', async (_, sent, text) => expect401(sent, text))

  test('with a token that another key signed', async () => {
    const { privateKey } = await generateKeyPair('EdDSA')
    const token = await new SignJWT({ email: 'a@example.com', email_verified: true })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setIssuer(world.config.baseUrl)
      .setExpirationTime('1h')
      .sign(privateKey)
    await expect401({ bearer: token }, 'Unauthorized')
  })

  test('on a route that accepts only keys, regardless of its Authorization header', async () => {
    const { key } = await world.makeAccount()
    const response = await world.request('POST', '/api/chat', { bearer: key, body: {} })
    expect([response.status, response.body['error']]).toEqual([401, 'This endpoint accepts x-api-key only'])
  })
})

describe('a token', () => {
  test('creates a person on its first request: an account with an email address and credits', async () => {
    const email = `New.${randomUUID()}@Example.COM`
    const token = await issueToken(email)
    const responses = await Promise.all(Array.from({ length: 8 }, () => whoAmI({ bearer: token })))
    const ids = new Set(responses.map(({ body }) => body.accountId))
    expect(ids.size).toBe(1)
    const [id] = ids
    const [row] = await world.db`
      select email, remaining_credits as credits, reference, amount, kind from account_emails
      join credit_balances using (account_id) join credit_ledger using (account_id) where account_id = ${id ?? ''}`
    expect(row).toEqual({
      email: email.toLowerCase(),
      credits: world.config.START_CREDITS,
      amount: world.config.START_CREDITS,
      reference: `seed:${id}`,
      kind: 'seed',
    })
    expect(
      await world.db`select 1 from accounts where id = ${id ?? ''} and first_authenticated_at is not null`,
    ).toHaveLength(1)
  })

  test('creates one account for parallel first requests with different tokens', async () => {
    const email = `${randomUUID()}@example.com`
    const tokens = await Promise.all(Array.from({ length: 6 }, () => issueToken(email)))
    const responses = await Promise.all(tokens.map((bearer) => whoAmI({ bearer })))
    expect(new Set(responses.map(({ body }) => body.accountId)).size).toBe(1)
    const rows = await world.db`select 1 from account_emails where email = ${email}`
    expect(rows).toHaveLength(1)
  })

  test('authenticates the existing account of its email address', async () => {
    const { id, email } = await world.makeAccount()
    expect((await whoAmI({ bearer: await issueToken(email.toUpperCase()) })).body.accountId).toBe(id)
  })

  test('that cannot be verified returns 503 and may be retried', async () => {
    const usual = world.deps.identity
    world.deps.identity = { verify: () => Promise.reject(new IdentityUnavailableError('down')) }
    try {
      const response = await whoAmI({ bearer: 'unchecked' })
      expect([response.status, response.body.error]).toEqual([503, 'Service temporarily unavailable'])
      expect(response.headers.get('retry-after')).toBe('1')
    } finally {
      world.deps.identity = usual
    }
  })
})

describe('the embedded issuer', () => {
  test('publishes only its public key', async () => {
    const response = await world.request<{ keys: Record<string, unknown>[] }>('GET', '/identity/jwks.json')
    expect(response.body.keys).toEqual([expect.objectContaining({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' })])
    expect(response.body.keys[0]).not.toHaveProperty('d')
  })

  test('issues tokens for email addresses only', async () => {
    expect(await requestToken('no-address')).toMatchObject({
      status: 400,
      body: { error: 'email must be an email address', missing_fields: ['email'] },
    })
    expect((await requestToken('a@b.c')).body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 86_400,
    })
  })

  test('is absent if an external issuer is configured', async () => {
    const other = await createWorld({ worker: false, settings: { IDENTITY_ISSUER: 'https://issuer.example' } })
    try {
      expect((await other.request('POST', '/identity/token', { body: { email: 'a@b.c' } })).status).toBe(404)
      expect((await other.request('GET', '/identity/jwks.json')).status).toBe(404)
    } finally {
      await other.close()
    }
  })
})
