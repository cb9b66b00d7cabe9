import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleBearerSchema, consoleSignInSchema } from '../../../domain/console/console.ts'
import { issueBearer } from '../../world/bearer.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const path = '/api/console/sign-ins'
const getConsoleOrigin = (): string => new URL(world.config.consoleUrl).origin

type Sent = { bearer?: string; cookie?: string; headers?: Record<string, string> }

/** Sends a request with the headers of a browser on a console page. `headers` overrides these headers. */
const send = (method: string, route: string, { bearer, cookie, headers }: Sent = {}) =>
  world.request(method, path + route, {
    ...(bearer !== undefined && { bearer }),
    headers: {
      origin: getConsoleOrigin(),
      'sec-fetch-site': 'same-origin',
      ...(cookie !== undefined && { cookie }),
      ...headers,
    },
  })

const readCookie = (response: { headers: Headers }): string =>
  (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

const startSignIn = async (email: string) => {
  const response = await send('POST', '', { bearer: await issueBearer(world, email) })
  expect(response.status).toBe(201)
  return { ...consoleBearerSchema.strict().parse(response.body), cookie: readCookie(response) }
}

/** Moves the last rotation back by a minute, after which the cookie is rotated again and the previous one is invalid. */
const endGracePeriod = (signInId: string) =>
  world.db`update console_sign_ins set rotated_at = now() - interval '61 seconds' where id = ${signInId}`

const readStatus = async (bearer: string): Promise<number> =>
  (await world.request('GET', '/api/console/me', { bearer })).status

/** Waits until the token is rejected, because a deleted credential is accepted for up to one second. */
const untilRejected = (bearer: string) =>
  eventually('the rejection of the token', async () => (await readStatus(bearer)) === 401 || undefined)

test('a token of the issuer starts a sign-in with a bearer token and a cookie that scripts cannot read', async () => {
  const response = await send('POST', '', { bearer: await issueBearer(world, 'stays@example.com') })
  expect(response.headers.get('set-cookie')).toMatch(
    /^backline_console=[\w-]{22}\.[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  expect(response.headers.get('access-control-allow-origin')).toBe(getConsoleOrigin())
  const { bearer, accountId, expiresInSeconds } = consoleBearerSchema.parse(response.body)
  expect(expiresInSeconds).toBe(900)
  const me = await world.request('GET', '/api/console/me', { bearer })
  expect(me.body).toMatchObject({ accountId, email: 'stays@example.com', via: 'bearer' })
  expect((await world.request('GET', '/api/keys', { bearer })).status).toBe(200)
  const stored = JSON.stringify(await world.db`select * from console_sign_ins where account_id = ${accountId}`)
  for (const secret of readCookie(response).slice('backline_console='.length).split('.'))
    expect(stored).not.toContain(secret)
})

test('the cookie is exchanged for a bearer token and rotated, with the same result if repeated within a minute', async () => {
  const { cookie, signInId, accountId } = await startSignIn('rotates@example.com')
  const early = await send('POST', '/token', { cookie })
  expect([early.status, readCookie(early)]).toEqual([200, cookie])
  await endGracePeriod(signInId)
  const tabs = await Promise.all([1, 2, 3].map(() => send('POST', '/token', { cookie })))
  expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200])
  const [next = '', ...others] = new Set(tabs.map(readCookie))
  expect([next === cookie, others]).toEqual([false, []])
  expect(tabs.map(({ body }) => body['accountId'])).toEqual([accountId, accountId, accountId])
  await endGracePeriod(signInId)
  expect(readCookie(await send('POST', '/token', { cookie: next }))).not.toBe(next)
})

test('a copied cookie that is used after its rotation ends the sign-in with its bearer tokens and keys', async () => {
  const { cookie, signInId, bearer } = await startSignIn('copied@example.com')
  const made = await world.request<{ key: string }>('POST', '/api/console/key', { bearer })
  await endGracePeriod(signInId)
  const rotated = readCookie(await send('POST', '/token', { cookie }))
  await endGracePeriod(signInId)
  const copied = await send('POST', '/token', { cookie })
  expect([copied.status, copied.headers.get('set-cookie')]).toEqual([401, expect.stringContaining('Max-Age=0')])
  expect((await send('POST', '/token', { cookie: rotated })).status).toBe(401)
  await untilRejected(bearer)
  expect((await world.request('GET', '/api/console/me', { key: made.body.key })).status).toBe(401)
})

test('a missing, forged or expired cookie changes nothing', async () => {
  const { cookie, signInId } = await startSignIn('guessed@example.com')
  expect((await send('POST', '/token')).status).toBe(204)
  for (const guess of ['backline_console=x.y', `backline_console=${signInId}.${signInId}`, 'backline_console=%00'])
    expect((await send('POST', '/token', { cookie: guess })).status).toBe(401)
  expect((await send('POST', '/token', { cookie })).status).toBe(200)
  await world.db`update console_sign_ins set expires_at = now() where id = ${signInId}`
  expect((await send('POST', '/token', { cookie })).status).toBe(401)
})

test('the cookie is accepted only from pages of the console', async () => {
  const { cookie, bearer } = await startSignIn('cross@example.com')
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]
  for (const headers of foreign)
    for (const [method, route] of [
      ['POST', '/token'],
      ['DELETE', '/current'],
    ] as const)
      expect([headers, (await send(method, route, { cookie, headers })).status]).toEqual([headers, 403])
  expect((await fetch(world.baseUrl + path, { headers: { cookie } })).status).toBe(401)
  expect((await world.request('GET', '/api/console/me', { headers: { cookie } })).status).toBe(401)
  expect(await readStatus(bearer)).toBe(200)
})

test('neither a key nor the bearer token of a sign-in starts another sign-in', async () => {
  const { bearer, accountId } = await startSignIn('extends@example.com')
  expect((await send('POST', '', { bearer })).status).toBe(403)
  const account = await world.makeAccount()
  const byKey = await world.request('POST', path, { key: account.key, headers: { origin: getConsoleOrigin() } })
  expect(byKey.status).toBe(403)
  expect(await world.db`select 1 from console_sign_ins where account_id = ${accountId}`).toHaveLength(1)
  expect(await world.db`select 1 from console_sign_ins where account_id = ${account.id}`).toHaveLength(0)
})

test('a person lists the sign-ins, ends one of them, and signs out, which removes the cookie', async () => {
  const [current, previous] = [await startSignIn('lists@example.com'), await startSignIn('lists@example.com')]
  const outsider = await startSignIn('outsider@example.com')
  const list = async () => {
    const { body } = await world.request<{ signIns: unknown[] }>('GET', path, { bearer: current.bearer })
    return body.signIns.map((row) => consoleSignInSchema.strict().parse(row))
  }
  expect((await list()).map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
    [previous.signInId, false],
    [current.signInId, true],
  ])
  const end = (id: string) => world.request('DELETE', `${path}/${id}`, { bearer: current.bearer })
  expect((await end(outsider.signInId)).status).toBe(404)
  expect((await end(previous.signInId)).status).toBe(200)
  await untilRejected(previous.bearer)
  expect(await readStatus(outsider.bearer)).toBe(200)
  const out = await send('DELETE', '/current', { cookie: current.cookie })
  expect([out.status, out.headers.get('set-cookie')]).toEqual([
    200,
    expect.stringMatching(/^backline_console=; Max-Age=0/),
  ])
  await untilRejected(current.bearer)
})

test('signing in again in the same browser ends the earlier sign-in', async () => {
  const first = await startSignIn('again@example.com')
  const response = await send('POST', '', {
    bearer: await issueBearer(world, 'other@example.com'),
    cookie: first.cookie,
  })
  expect(response.status).toBe(201)
  expect((await send('POST', '/token', { cookie: first.cookie })).status).toBe(401)
})

test('the cookie is bound to its host with https, and no cookie is set with CONSOLE_SIGN_IN_DAYS=0', async () => {
  const secure = await createWorld({
    worker: false,
    settings: { CONSOLE_URL: 'https://console.example/console', CONSOLE_SIGN_IN_DAYS: '0' },
  })
  try {
    const bearer = await issueBearer(secure, 'secure@example.com')
    const headers = { origin: 'https://console.example' }
    expect((await secure.request('POST', path, { bearer, headers })).status).toBe(404)
    const out = await secure.request('DELETE', `${path}/current`, { headers })
    expect(out.headers.get('set-cookie')).toBe(
      '__Host-backline_console=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure',
    )
  } finally {
    await secure.close()
  }
})
