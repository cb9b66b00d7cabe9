import { randomUUID } from 'node:crypto'
import { createServer, request as sendRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createJwksIdentity } from '../../../providers/identity/jwks.ts'
import { issueBearer } from '../../world/bearer.ts'
import { createWorld, type World } from '../../world/world.ts'

const path = '/api/accounts/id'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

/** Sends a request with unmodified, possibly repeated headers and returns the status. */
const requestStatus = (headers: string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(world.baseUrl)
    const all = ['Host', host, ...headers]
    const request = sendRequest({ hostname, port, path, headers: all, setHost: false, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', reject)
    request.end()
  })

describe('a credential', () => {
  test('is accepted only in its own header, even after a request with that header was accepted', async () => {
    const { email, id } = await world.makeAccount()
    const bearer = await issueBearer(world, email)
    expect(await world.request('GET', path, { bearer })).toMatchObject({ status: 200, body: { accountId: id } })
    const chat = await world.request('POST', '/api/chat', { key: bearer, body: {} })
    expect([(await world.request('GET', path, { key: bearer })).status, chat.status]).toEqual([401, 401])
    expect((await world.request('GET', path, { bearer })).status).toBe(200)
  })

  test('is rejected if its header is sent more than once', async () => {
    const [account, otherAccount] = [await world.makeAccount(), await world.makeAccount()]
    expect(await requestStatus(['Authorization', `Bearer ${account.key}`])).toBe(200)
    for (const second of [account.key, otherAccount.key, 'x']) {
      expect(await requestStatus(['Authorization', `Bearer ${account.key}`, 'authorization', `Bearer ${second}`])).toBe(
        401,
      )
      expect(await requestStatus(['x-api-key', account.key, 'X-API-Key', second])).toBe(401)
    }
    expect(await requestStatus(['x-api-key', account.key, 'X-API-Key', ''])).toBe(401)
    const empty = ['Authorization', '', 'Authorization', `Bearer ${account.key}`]
    expect(await requestStatus(empty)).toBe(401)
  })
})

describe('a token of an external issuer', () => {
  const issuer = 'https://issuer.example/'
  let server: Server
  let keysUrl: string
  let sign: (claims: Record<string, unknown>) => Promise<string>
  beforeAll(async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }]
    server = createServer((_, response) => response.end(JSON.stringify({ keys }))).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    keysUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
    sign = (claims) =>
      new SignJWT({ iss: issuer, email: 'a@example.com', email_verified: true, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setExpirationTime('5m')
        .sign(privateKey)
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  test.each([undefined, 'another application', ['one', 'two'], '', 'https://issuer.example'])(
    'for the audience %j is rejected by a deployment without a configured audience',
    async (aud) => {
      const token = await sign(aud === undefined ? {} : { aud })
      expect(await createJwksIdentity({ issuer, keysUrl }).verify(token)).toBeUndefined()
    },
  )

  test('is accepted for the issuer or for the configured audience', async () => {
    const plain = createJwksIdentity({ issuer, keysUrl })
    const withAudience = createJwksIdentity({ issuer, keysUrl, audience: 'backline' })
    expect(await plain.verify(await sign({ aud: issuer }))).toBeDefined()
    expect(await withAudience.verify(await sign({ aud: ['other', 'backline'] }))).toBeDefined()
    expect(await withAudience.verify(await sign({ aud: issuer }))).toBeUndefined()
  })

  test.each([undefined, false, 'false', null, 0, 1, 'yes', {}])(
    'with email_verified %j identifies no account',
    async (verified) => {
      const token = await sign({ aud: issuer, email_verified: verified })
      expect(await createJwksIdentity({ issuer, keysUrl }).verify(token)).toBeUndefined()
    },
  )

  test('without email_verified is accepted only if the operator trusts the issuer, and never if it is false', async () => {
    const trusting = createJwksIdentity({ issuer, keysUrl, assumeVerified: true })
    expect(await trusting.verify(await sign({ aud: issuer, email_verified: undefined }))).toBeDefined()
    for (const verified of [false, 'false', null])
      expect(await trusting.verify(await sign({ aud: issuer, email_verified: verified }))).toBeUndefined()
  })

  test.each(['\u212Aim@example.com', 'kim@example.com,evil', 'kim@\u212A.example', ['kim@example.com'], 'kim@127.1'])(
    'for the address %j identifies no account',
    async (email) => {
      const token = await sign({ aud: issuer, email })
      expect(await createJwksIdentity({ issuer, keysUrl }).verify(token)).toBeUndefined()
    },
  )
})

describe('an address that resembles another address', () => {
  test('matches no account and receives no code, invitation or email', async () => {
    const name = `kim-${randomUUID()}`
    const owner = await world.makeAccount({ email: `${name}@example.com` })
    const organization = await world.makeOrganization({ members: [owner.id] })
    const kelvin = owner.email.replace('k', '\u212A')
    const count = async (): Promise<number> =>
      (await world.db`select 1 from account_emails where email like ${`%${name.slice(1)}%`}`).length
    const lookalikes = [
      kelvin,
      `${name}@\u24D4xample.com`,
      `${name}@example.com,evil`,
      `${name}@example.com.`,
      `${name}@127.1`,
      `"${name}"@example.com`,
      `${name}@example.com\u0000`,
    ]
    for (const email of lookalikes) {
      const { key } = owner
      const member = { organization_id: organization.id, email }
      const responses = await Promise.all([
        world.request('POST', '/api/agents/signup', { body: { email } }),
        world.request('POST', '/api/agents/verify', { body: { email, code: '123456' } }),
        world.request('POST', '/api/organizations/members', { key, body: member }),
        world.request('POST', '/api/emails', { key, body: { to: [email], text: 'x' } }),
        world.request('GET', `/api/accounts/${encodeURIComponent(email)}`, { key }),
      ])
      expect([email, responses.map(({ status }) => status)]).toEqual([email, [400, 400, 400, 400, 400]])
      expect(await issueBearer(world, email)).toBeUndefined()
    }
    expect(await count()).toBe(1)
  })

  test('that differs only in the case of ASCII letters is the same address', async () => {
    const { id, email, key } = await world.makeAccount()
    const response = await world.request('GET', `/api/accounts/${encodeURIComponent(email.toUpperCase())}`, { key })
    expect(response).toMatchObject({ status: 200, body: { account: { id } } })
  })
})
