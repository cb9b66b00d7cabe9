import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleSettingsSchema } from '../../../domain/console/console.ts'
import { createWorld, type World } from '../../world/world.ts'
import { startIssuer } from './issuer.ts'

const clientId = 'backline-console'
const consoleUrl = 'http://127.0.0.1:9/console'

let world: World
let issuer: Awaited<ReturnType<typeof startIssuer>>
beforeAll(async () => {
  issuer = await startIssuer({ clientId, redirectUri: `${consoleUrl}/signed-in` })
  const settings = {
    IDENTITY_ISSUER: issuer.url,
    IDENTITY_KEYS_URL: `${issuer.url}/jwks`,
    IDENTITY_AUDIENCE: clientId,
    CONSOLE_CLIENT_ID: clientId,
    CONSOLE_URL: consoleUrl,
  }
  world = await createWorld({ worker: false, settings })
})
afterAll(async () => {
  await world.close()
  await issuer.close()
})

/** Follows the redirects and submits the forms of the issuer. Returns the URL of the redirect to the console. */
const followRedirects = async (start: URL, email: string): Promise<URL> => {
  const cookies = new Map<string, string>()
  let [url, form]: [string, URLSearchParams | undefined] = [start.href, undefined]
  for (let steps = 0; steps < 12 && !url.startsWith(consoleUrl); steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]?.split(/=(.*)/s) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const text = await response.text()
    const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? ''
    form = location === null ? new URLSearchParams({ prompt, login: email, password: 'any' }) : undefined
    url = new URL(location ?? action ?? '', url).href
  }
  return new URL(url)
}

test('the console signs in at an external issuer with the published settings, and the API accepts the token', async () => {
  const response = await world.request('GET', '/api/console/settings')
  const { signIn } = consoleSettingsSchema.parse(response.body)
  if (signIn === null) throw new Error('the client has no sign-in')
  expect(signIn).toMatchObject({ issuer: issuer.url, clientId, bearer: 'id_token', isEmbedded: false })
  const config = await client.discovery(new URL(signIn.discoveryUrl), signIn.clientId, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  })
  const [verifier, expectedState, expectedNonce] = [
    client.randomPKCECodeVerifier(),
    client.randomState(),
    client.randomNonce(),
  ]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: signIn.redirectUri,
    scope: signIn.scope,
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const redirect = await followRedirects(url, 'grace@example.com')
  const tokens = await client.authorizationCodeGrant(config, redirect, {
    pkceCodeVerifier: verifier,
    expectedState,
    expectedNonce,
  })
  const bearer = tokens[signIn.bearer]
  const me = await world.request('GET', '/api/console/me', { bearer })
  expect(me).toMatchObject({ status: 200, body: { email: 'grace@example.com', via: 'bearer' } })
  const exchanged = await world.request<{ expiresAt: string }>('POST', '/api/console/key', { bearer })
  expect(exchanged.status).toBe(201)
  expect(exchanged.body.expiresAt <= String(me.body['expiresAt'])).toBe(true)
})

test('if an external issuer is configured, the embedded issuer has no routes', async () => {
  for (const path of ['/.well-known/openid-configuration', '/identity/authorize', '/identity/open/x'])
    expect((await world.request('GET', path)).status).toBe(404)
})

test('without a client id, the settings contain no sign-in', async () => {
  const other = await createWorld({ worker: false, settings: { IDENTITY_ISSUER: issuer.url } })
  try {
    expect((await other.request('GET', '/api/console/settings')).body).toMatchObject({ signIn: null })
  } finally {
    await other.close()
  }
})
