import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { IdentityUnavailableError } from '../../providers/identity/index.ts'
import { createJwksIdentity } from '../../providers/identity/jwks.ts'
import { createLocalIdentity } from '../../providers/identity/local.ts'

const issuer = 'https://issuer.example'
const audience = 'backline'
const rules = { issuer, audience }
const verifiedClaims = { email: 'Person@Example.com', email_verified: true, sub: 'user-1' }

type TokenOptions = { expires?: string | number; header?: object; iss?: string; aud?: string }
type Signer = { kid: string; alg: string; privateKey: CryptoKey; publicKey: JWK }

const createSigner = async (kid: string, alg: string): Promise<Signer> => {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  return { kid, alg, privateKey, publicKey: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const sign = (
  signer: Signer,
  claims: Record<string, unknown> = verifiedClaims,
  { expires = '5m', header = {}, iss = issuer, aud = audience }: TokenOptions = {},
): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: signer.alg, kid: signer.kid, ...header })
    .setIssuer(iss)
    .setAudience(aud)
    .setExpirationTime(expires)
    .sign(signer.privateKey)

let server: Server
let keysUrl: string
let published: JWK[]
let status: number
let fetches: number
let rsa: Signer

beforeAll(async () => {
  rsa = await createSigner('rsa', 'RS256')
  server = createServer((_, response) => {
    fetches += 1
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: published }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  keysUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
})
afterAll(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

beforeEach(() => {
  published = [rsa.publicKey]
  status = 200
  fetches = 0
})
afterEach(() => {
  vi.useRealTimers()
})

/** Advances the clock of the provider without waiting. */
const advanceClock = (ms: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
}

describe('an external issuer', () => {
  test.each(['RS256', 'ES256', 'EdDSA'])('may sign tokens with %s', async (alg) => {
    const signer = await createSigner('one', alg)
    published = [signer.publicKey]
    expect(await createJwksIdentity({ ...rules, keysUrl }).verify(await sign(signer))).toEqual({
      email: 'person@example.com',
      subject: 'user-1',
      expiresAt: expect.any(Date),
    })
  })

  test.each<[string, () => Promise<string>]>([
    ['another issuer', () => sign(rsa, verifiedClaims, { iss: 'https://other.example' })],
    ['another audience', () => sign(rsa, verifiedClaims, { aud: 'other' })],
    [
      'an expiry more than a minute ago',
      () => sign(rsa, verifiedClaims, { expires: Math.floor(Date.now() / 1000) - 62 }),
    ],
    ['no email', () => sign(rsa, { sub: 'x' })],
    ['an invalid email', () => sign(rsa, { ...verifiedClaims, email: 'no-address' })],
    ['an unverified email', () => sign(rsa, { ...verifiedClaims, email_verified: false })],
    ['an unverified email, as a string', () => sign(rsa, { ...verifiedClaims, email_verified: 'false' })],
    ['a start in the future', () => sign(rsa, { ...verifiedClaims, nbf: Math.floor(Date.now() / 1000) + 120 })],
    ['invalid syntax', () => Promise.resolve('abc')],
    ['another algorithm', async () => sign({ ...(await createSigner('rsa', 'PS256')) })],
    ['a signature of another key under the same id', async () => sign(await createSigner('rsa', 'RS256'))],
    [
      'no signature',
      () => {
        return Promise.resolve(`${encode({ alg: 'none' })}.${encode({ ...verifiedClaims, iss: issuer, exp: 9e9 })}.`)
      },
    ],
    [
      'no expiry',
      () =>
        new SignJWT(verifiedClaims)
          .setProtectedHeader({ alg: 'RS256', kid: 'rsa' })
          .setIssuer(issuer)
          .setAudience(audience)
          .sign(rsa.privateKey),
    ],
    [
      'a key in the token header',
      async () => {
        const ownSigner = await createSigner('own', 'RS256')
        return sign(ownSigner, verifiedClaims, { header: { jwk: ownSigner.publicKey, jku: keysUrl } })
      },
    ],
  ])('cannot use a token with %s', async (_, token) => {
    expect(await createJwksIdentity({ ...rules, keysUrl }).verify(await token())).toBeUndefined()
  })

  test('has a tolerance of one minute for expired tokens', async () => {
    const expires = Math.floor(Date.now() / 1000) - 55
    expect(
      await createJwksIdentity({ ...rules, keysUrl }).verify(await sign(rsa, verifiedClaims, { expires })),
    ).toBeDefined()
  })

  test('can rotate its keys, and a token of the new key is valid immediately', async () => {
    const identity = createJwksIdentity({ ...rules, keysUrl })
    expect(await identity.verify(await sign(rsa))).toBeDefined()
    const next = await createSigner('next', 'RS256')
    published = [rsa.publicKey, next.publicKey]
    const tokens = await Promise.all([1, 2, 3].map(() => sign(next)))
    for (const identified of await Promise.all(tokens.map((token) => identity.verify(token))))
      expect(identified).toBeDefined()
    expect(fetches).toBe(2)
  })

  test('is queried for unknown keys at most ten times a minute, after which their tokens cannot be checked', async () => {
    const identity = createJwksIdentity({ ...rules, keysUrl })
    const [token, unknownKeyToken] = await Promise.all([
      sign(rsa, verifiedClaims, { expires: '1h' }),
      sign(await createSigner('strange', 'RS256'), verifiedClaims, { expires: '1h' }),
    ])
    expect(await identity.verify(token)).toBeDefined()
    for (let call = 0; call < 10; call += 1) expect(await identity.verify(unknownKeyToken)).toBeUndefined()
    await expect(identity.verify(unknownKeyToken)).rejects.toBeInstanceOf(IdentityUnavailableError)
    expect(await identity.verify(token)).toBeDefined()
    expect(fetches).toBe(11)
    advanceClock(61_000)
    expect(await identity.verify(unknownKeyToken)).toBeUndefined()
    expect(fetches).toBe(12)
  })

  test('that is down prevents the check of tokens of unknown keys, and its last keys remain valid', async () => {
    const identity = createJwksIdentity({ ...rules, keysUrl })
    const token = await sign(rsa, verifiedClaims, { expires: '2h' })
    expect(await identity.verify(token)).toBeDefined()
    status = 500
    advanceClock(15 * 60_000)
    const unknownKeyToken = await sign(await createSigner('strange', 'RS256'), verifiedClaims, { expires: '2h' })
    for (let call = 0; call < 5; call += 1) {
      expect(await identity.verify(token)).toBeDefined()
      await expect(identity.verify(unknownKeyToken)).rejects.toBeInstanceOf(IdentityUnavailableError)
    }
    expect(fetches).toBe(2)
  })

  test('that was never reached prevents the check of any token', async () => {
    status = 503
    await expect(createJwksIdentity({ ...rules, keysUrl }).verify(await sign(rsa))).rejects.toBeInstanceOf(
      IdentityUnavailableError,
    )
    const unreachable = createJwksIdentity({ ...rules, keysUrl: 'http://127.0.0.1:1/keys' })
    await expect(unreachable.verify(await sign(rsa))).rejects.toBeInstanceOf(IdentityUnavailableError)
    expect(await unreachable.verify('abc')).toBeUndefined()
  })
})

describe('the embedded issuer', () => {
  const secret = 'a secret of the tests that is long enough'

  test('accepts its own tokens, even those of another process with the same secret', async () => {
    const [one, other] = [createLocalIdentity(secret, { issuer }), createLocalIdentity(secret, { issuer })]
    const token = await one.issuer.issue('person@example.com')
    expect(await other.identity.verify(token)).toEqual({
      email: 'person@example.com',
      subject: 'person@example.com',
      expiresAt: expect.any(Date),
    })
    expect(other.issuer.keySet).toEqual(one.issuer.keySet)
  })

  test('rejects the tokens of another deployment', async () => {
    const other = createLocalIdentity(`another ${secret}`, { issuer })
    const { identity } = createLocalIdentity(secret, { issuer })
    expect(await identity.verify(await other.issuer.issue('person@example.com'))).toBeUndefined()
  })

  test('publishes the key of its tokens', async () => {
    const one = createLocalIdentity(secret, { issuer })
    published = one.issuer.keySet.keys
    const identity = createJwksIdentity({ issuer, keysUrl })
    expect(await identity.verify(await one.issuer.issue('person@example.com'))).toMatchObject({
      email: 'person@example.com',
    })
  })
})
