import { createHash } from 'node:crypto'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { developmentToken } from '../../providers/identity/development-token.ts'
import { createWorld, type World } from '../world/world.ts'

let world: World
let token: string
beforeAll(async () => {
  world = await createWorld({ worker: false })
  token = developmentToken(world.config.SERVER_SECRET ?? '')
})
afterAll(() => world.close())

const redirectUri = (): string => `${world.config.consoleUrl}/signed-in`

/** Goes to the address of the issuer, through the port that it has here. */
const here = (url: string): string => url.replace(world.config.baseUrl, world.baseUrl)

const discover = () =>
  client.discovery(new URL(world.config.baseUrl), 'console', undefined, client.None(), {
    execute: [client.allowInsecureRequests],
    [client.customFetch]: (url, options) => fetch(here(url), options),
  })

type SignInRequest = { url: URL; verifier: string; state: string; nonce: string }

const sendRequest = async (
  config: client.Configuration,
  changes: Record<string, string> = {},
): Promise<SignInRequest> => {
  const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(),
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
  fetch(here(url.href), { redirect: 'manual', headers: cookie === undefined ? {} : { cookie } })

const submit = (url: URL, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${world.baseUrl}/identity/authorize`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams({ ...Object.fromEntries(url.searchParams), ...fields }),
  })

const exchange = (fields: Record<string, string>): Promise<Response> =>
  fetch(`${world.baseUrl}/identity/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })

const signIn = async (email: string): Promise<SignInRequest & { back: URL }> => {
  const signInRequest = await sendRequest(await discover())
  const answer = await submit(signInRequest.url, { email, development_token: token })
  expect(answer.status).toBe(303)
  return { ...signInRequest, back: new URL(answer.headers.get('location') ?? '') }
}

test('a stock client signs a user in with a code and PKCE, and the tokens are bearers of the API', async () => {
  const config = await discover()
  const { url, verifier, state, nonce } = await sendRequest(config, { login_hint: 'Ada@example.com' })
  const page = await open(url)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('access-control-allow-origin')).toBeNull()
  const text = await page.text()
  expect(text).toContain('value="Ada@example.com"')
  expect(text).not.toContain(token)
  const answer = await submit(url, { email: 'Ada@example.com', development_token: token })
  const back = new URL(answer.headers.get('location') ?? '')
  expect(back.href.startsWith(`${redirectUri()}?`)).toBe(true)
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

test('a code works once, and not with another verifier or address', async () => {
  const rightly = async (): Promise<Record<string, string>> => {
    const { back, verifier } = await signIn('grace@example.com')
    const code = back.searchParams.get('code') ?? ''
    const which = { client_id: 'console', redirect_uri: redirectUri() }
    return { grant_type: 'authorization_code', code, code_verifier: verifier, ...which }
  }
  const once = await rightly()
  const twice = await Promise.all([exchange(once), exchange(once)])
  expect(twice.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
  const wrongs: [Record<string, string>, string][] = [
    [{ code_verifier: client.randomPKCECodeVerifier() }, 'invalid_grant'],
    [{ redirect_uri: `${redirectUri()}/` }, 'invalid_grant'],
    [{ client_id: 'another' }, 'invalid_client'],
    [{ code: '' }, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
  ]
  for (const [changes, error] of wrongs) {
    const answer = await exchange({ ...(await rightly()), ...changes })
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([400, error])
  }
  const spent = await rightly()
  expect((await exchange({ ...spent, code_verifier: 'wrong' })).status).toBe(400)
  expect((await exchange(spent)).status).toBe(400)
  const late = await rightly()
  await world.db`update sign_in_codes set expires_at = now() - interval '1 second'`
  expect((await exchange(late)).status).toBe(400)
  const stored = JSON.stringify(await world.db`select * from sign_in_codes`)
  expect(stored).not.toContain(late['code'])
})

test('a sign-in never redirects to an address that is not exactly that of the console', async () => {
  const config = await discover()
  const outsiders: Record<string, string>[] = [
    { redirect_uri: 'https://evil.test/signed-in' },
    { redirect_uri: `${redirectUri()}/..` },
    { redirect_uri: `${redirectUri()}?next=x` },
    { redirect_uri: redirectUri().toUpperCase() },
    { client_id: 'another' },
  ]
  for (const changes of outsiders) {
    const { url } = await sendRequest(config, changes)
    for (const answer of [await open(url), await submit(url, { email: 'a@example.com', development_token: token })])
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  }
  const faults: [Record<string, string>, string][] = [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ scope: 'email' }, 'invalid_scope'],
  ]
  for (const [changes, error] of faults) {
    const { url, state } = await sendRequest(config, changes)
    const back = new URL((await open(url)).headers.get('location') ?? '')
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([error, state])
    expect((await submit(url, { email: 'a@example.com', development_token: token })).status).toBe(303)
  }
  expect(await world.db`select 1 from sign_in_codes where email = 'a@example.com'`).toHaveLength(0)
})

test('the page asks again where address or token are wrong, and runs nothing that was sent to it', async () => {
  const { url } = await sendRequest(await discover(), { state: '"><script>alert(1)</script>' })
  const hostile = '<script>alert(2)</script>'
  for (const [fields, message] of [
    [{ email: hostile, development_token: token }, 'not an email address'],
    [{ email: 'a@example.com', development_token: hostile }, 'not the development token'],
  ] as const) {
    const answer = await submit(url, fields)
    const text = await answer.text()
    expect(answer.status).toBe(400)
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

test('a browser that was opened with the development token shows a field for the address only', async () => {
  const opened = await fetch(`${world.baseUrl}/identity/open/${token}?email=demo@example.com`, { redirect: 'manual' })
  expect([opened.status, opened.headers.get('refresh')]).toEqual([200, `0; url=${world.config.consoleUrl}`])
  const set = opened.headers.get('set-cookie') ?? ''
  expect(set).toMatch(/; Path=\/identity; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
  const cookie = set.split(';')[0] ?? ''
  const { url } = await sendRequest(await discover())
  const text = await (await open(url, cookie)).text()
  expect(text).toContain('value="demo@example.com"')
  expect(text).not.toContain('name="development_token"')
  expect((await submit(url, { email: 'demo@example.com' }, { cookie })).status).toBe(303)
  expect((await submit(url, { email: 'demo@example.com' }, { cookie: 'backline_sign_in=wrong.x' })).status).toBe(400)
  expect((await fetch(`${world.baseUrl}/identity/open/${createHash('sha256').digest('base64url')}`)).status).toBe(404)
})
