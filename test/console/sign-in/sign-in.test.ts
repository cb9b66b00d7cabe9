import { createHash } from 'node:crypto'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { developmentToken } from '../../../providers/identity/development-token.ts'
import { createWorld, type World } from '../../world/world.ts'

let world: World
let token: string
beforeAll(async () => {
  world = await createWorld({ worker: false })
  token = developmentToken(world.config.SERVER_SECRET ?? '')
})
afterAll(() => world.close())

const getRedirectUri = (): string => `${world.config.consoleUrl}/signed-in`

/** Replaces the configured origin with the origin of the test server. */
const toServerUrl = (url: string): string => url.replace(world.config.baseUrl, world.baseUrl)

const discover = () =>
  client.discovery(new URL(world.config.baseUrl), 'console', undefined, client.None(), {
    execute: [client.allowInsecureRequests],
    [client.customFetch]: (url, options) => fetch(toServerUrl(url), options),
  })

type SignInRequest = { url: URL; verifier: string; state: string; nonce: string }

const buildSignInRequest = async (
  config: client.Configuration,
  changes: Record<string, string> = {},
): Promise<SignInRequest> => {
  const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: getRedirectUri(),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...changes,
  })
  return { url, verifier, state, nonce }
}

const open = (url: URL, cookie?: string): Promise<Response> =>
  fetch(toServerUrl(url.href), { redirect: 'manual', headers: cookie === undefined ? {} : { cookie } })

const submit = (url: URL, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(toServerUrl(url.href), { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) })

const exchange = (fields: Record<string, string>): Promise<Response> =>
  fetch(`${world.baseUrl}/identity/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })

const signIn = async (email: string): Promise<SignInRequest & { back: URL }> => {
  const signInRequest = await buildSignInRequest(await discover())
  const response = await submit(signInRequest.url, { email, development_token: token })
  expect(response.status).toBe(303)
  return { ...signInRequest, back: new URL(response.headers.get('location') ?? '') }
}

test('a standard OpenID client signs a user in with a code and PKCE, and the API accepts the tokens', async () => {
  const config = await discover()
  const { url, verifier, state, nonce } = await buildSignInRequest(config, { login_hint: 'Ada@example.com' })
  const page = await open(url)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('access-control-allow-origin')).toBeNull()
  const text = await page.text()
  expect(text).toContain('value="Ada@example.com"')
  expect(text).not.toContain(token)
  const response = await submit(url, { email: 'Ada@example.com', development_token: token })
  const back = new URL(response.headers.get('location') ?? '')
  expect(back.href.startsWith(`${getRedirectUri()}?`)).toBe(true)
  const tokens = await client.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  expect(tokens.claims()).toMatchObject({ email: 'ada@example.com', email_verified: true, azp: 'console', nonce })
  const accounts: unknown[] = []
  for (const bearer of [tokens.access_token, tokens.id_token]) {
    const me = await world.request('GET', '/api/console/me', { bearer })
    expect(me.body).toMatchObject({ email: 'ada@example.com', via: 'bearer', isAdmin: false })
    accounts.push(me.body['accountId'])
  }
  expect(accounts[0]).toBe(accounts[1])
})

test('a code is accepted once, and only with its verifier and redirect URI', async () => {
  const createTokenRequest = async (): Promise<Record<string, string>> => {
    const { back, verifier } = await signIn('grace@example.com')
    const code = back.searchParams.get('code') ?? ''
    const clientFields = { client_id: 'console', redirect_uri: getRedirectUri() }
    return { grant_type: 'authorization_code', code, code_verifier: verifier, ...clientFields }
  }
  const once = await createTokenRequest()
  const twice = await Promise.all([exchange(once), exchange(once)])
  expect(twice.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 400])
  const invalidFields: [Record<string, string>, string][] = [
    [{ code_verifier: client.randomPKCECodeVerifier() }, 'invalid_grant'],
    [{ redirect_uri: `${getRedirectUri()}/` }, 'invalid_grant'],
    [{ client_id: 'another' }, 'invalid_client'],
    [{ code: '' }, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
  ]
  for (const [changes, error] of invalidFields) {
    const response = await exchange({ ...(await createTokenRequest()), ...changes })
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([400, error])
  }
  const failed = await createTokenRequest()
  expect((await exchange({ ...failed, code_verifier: 'wrong' })).status).toBe(400)
  expect((await exchange(failed)).status).toBe(400)
  const expired = await createTokenRequest()
  await world.db`update sign_in_codes set expires_at = now() - interval '1 second'`
  expect((await exchange(expired)).status).toBe(400)
  const stored = JSON.stringify(await world.db`select * from sign_in_codes`)
  expect(stored).not.toContain(expired['code'])
})

test('a sign-in redirects only to the exact redirect URI of the console', async () => {
  const config = await discover()
  const foreignRedirects: Record<string, string>[] = [
    { redirect_uri: 'https://evil.test/signed-in' },
    { redirect_uri: `${getRedirectUri()}/..` },
    { redirect_uri: `${getRedirectUri()}?next=x` },
    { redirect_uri: getRedirectUri().toUpperCase() },
    { client_id: 'another' },
  ]
  for (const changes of foreignRedirects) {
    const { url } = await buildSignInRequest(config, changes)
    for (const response of [await open(url), await submit(url, { email: 'a@example.com', development_token: token })])
      expect([response.status, response.headers.get('location')]).toEqual([400, null])
  }
  const invalidRequests: [Record<string, string>, string][] = [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ scope: 'email' }, 'invalid_scope'],
  ]
  for (const [changes, error] of invalidRequests) {
    const { url, state } = await buildSignInRequest(config, changes)
    const back = new URL((await open(url)).headers.get('location') ?? '')
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([error, state])
    expect((await submit(url, { email: 'a@example.com', development_token: token })).status).toBe(303)
  }
  expect(await world.db`select 1 from sign_in_codes where email = 'a@example.com'`).toHaveLength(0)
})

test('the page rejects a wrong email address or token, and shows submitted markup as text', async () => {
  const { url } = await buildSignInRequest(await discover(), { state: '"><script>alert(1)</script>' })
  const hostile = '<script>alert(2)</script>'
  for (const [fields, message] of [
    [{ email: hostile, development_token: token }, 'not an email address'],
    [{ email: 'a@example.com', development_token: hostile }, 'not the development token'],
  ] as const) {
    const response = await submit(url, fields)
    const text = await response.text()
    expect(response.status).toBe(400)
    expect(text).toContain(message)
    expect(text).not.toContain('<script')
  }
  const foreign = await submit(
    url,
    { email: 'a@example.com', development_token: token },
    { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
  )
  expect(foreign.status).toBe(403)
})

test('a browser that opened the development URL needs only an email address', async () => {
  const opened = await fetch(`${world.baseUrl}/identity/open/${token}?email=demo@example.com`, { redirect: 'manual' })
  expect([opened.status, opened.headers.get('refresh')]).toEqual([200, `0; url=${world.config.consoleUrl}`])
  const set = opened.headers.get('set-cookie') ?? ''
  expect(set).toMatch(/; Path=\/identity; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
  const cookie = set.split(';')[0] ?? ''
  const { url } = await buildSignInRequest(await discover())
  const text = await (await open(url, cookie)).text()
  expect(text).toContain('value="demo@example.com"')
  expect(text).not.toContain('name="development_token"')
  expect((await submit(url, { email: 'demo@example.com' }, { cookie })).status).toBe(303)
  expect((await submit(url, { email: 'demo@example.com' }, { cookie: 'backline_sign_in=wrong.x' })).status).toBe(400)
  expect((await fetch(`${world.baseUrl}/identity/open/${createHash('sha256').digest('base64url')}`)).status).toBe(404)
})
