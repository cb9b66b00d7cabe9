import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSchemaChecker } from '../../api/connectors/check/checker.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { explainUnusableSchema } from '../../domain/connectors/schemas.ts'
import { readDescriptions } from '../../providers/connectors/own/description.ts'
import { oidcSettings, serveOidc } from '../providers/vendors/sign-in/oidc-service.ts'
import { createWorld, type World } from '../world/world.ts'
import { createConnectorApi, webApp } from './connector-api.ts'
import { exampleFolder } from './example.ts'

let oidc: Awaited<ReturnType<typeof serveOidc>>
let folder: string
let world: World
beforeAll(async () => {
  oidc = await serveOidc('http://localhost:8787/api/connectors/callback')
  folder = await exampleFolder(oidc.url)
  world = await createWorld({
    worker: false,
    settings: {
      ...webApp,
      ...oidcSettings,
      CONNECTORS_DIR: folder,
      CONNECTOR_BROKER: 'none',
      ALLOW_PRIVATE_FETCH: 'true',
    },
  })
})
afterAll(async () => {
  await world.close()
  await oidc.close()
  await rm(folder, { recursive: true, force: true })
})

const api = createConnectorApi(() => world)

/** Signs in and consents as a browser with cookies does. Returns the first redirect to another origin. */
const authorizeInBrowser = async (start: string): Promise<string> => {
  const cookies = new Map<string, string>()
  const sendRequest = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, headers: { cookie }, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    return response
  }
  let response = await sendRequest(start)
  for (let steps = 0, at = start; steps < 12; steps++) {
    const location = response.headers.get('location')
    if (location !== null) {
      at = new URL(location, at).href
      if (!at.startsWith(oidc.url)) return at
      response = await sendRequest(at)
      continue
    }
    const page = await response.text()
    const [, action = ''] = /<form[^>]*action="([^"]+)"/.exec(page) ?? []
    const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(page) ?? []
    const form = { prompt, ...(prompt === 'login' && { login: 'grace', password: 'anything' }) }
    at = new URL(action, at).href
    response = await sendRequest(at, { method: 'POST', body: new URLSearchParams(form) })
  }
  throw new Error('the authorization did not end')
}

test('the description in the guide connects to an OAuth server, executes actions, renews tokens and disconnects', async () => {
  const account = await world.makeAccount()
  expect((await api.list(account)).body.connectors).toEqual([
    { slug: 'studio', name: 'Studio bookings', isConnected: false, connectedAccountId: null },
  ])
  const { body } = await api.authorize(account, 'studio')
  const callback = await authorizeInBrowser(body.data.redirectUrl)
  const back = await api.open(callback)
  const { body: shown } = await api.show(account, api.readCode(back))
  expect([shown.serviceAccount, shown.account.email]).toEqual(['grace', account.email])
  await api.confirm(account, back)
  const booking = { room: 'A', day: '2027-03-01' }
  expect((await api.execute(account, 'STUDIO_CREATE_BOOKING', { body: booking })).body.result).toEqual({ id: 1 })
  expect((await api.execute(account, 'STUDIO_CREATE_BOOKING', { body: { room: 'A', day: 'soon' } })).body.message).toBe(
    'parameters.body.day must match format "date"',
  )
  expect((await api.execute(account, 'STUDIO_LIST_BOOKINGS')).body.result).toEqual({ bookings: [booking] })
  expect(oidc.renewals()).toBe(2)
  const id = (await api.findConnectionId(account, 'studio')) ?? ''
  expect((await api.disconnect(account, id)).status).toBe(200)
  expect((await api.execute(account, 'STUDIO_LIST_BOOKINGS')).status).toBe(409)
  expect((await api.open(callback)).status).toBe(400)
})

test('the included descriptions are usable once their clients are configured', async () => {
  expect(await readDescriptions('connectors', {})).toEqual([])
  const names = ['GITHUB', 'GOOGLE'].flatMap((name) => [
    `CONNECTOR_CLIENT_${name}_ID`,
    `CONNECTOR_CLIENT_${name}_SECRET`,
  ])
  const ready = await readDescriptions('connectors', Object.fromEntries(names.map((name) => [name, 'x'])))
  expect(ready.map(({ slug, server }) => [slug, server])).toEqual([
    ['github', 'https://api.github.com'],
    ['googlecalendar', 'https://www.googleapis.com/calendar/v3'],
    ['youtube', 'https://www.googleapis.com/youtube/v3'],
  ])
  const checker = createSchemaChecker({ config: { LIMIT_SHARE_PERCENT: 25 }, metrics: createMetrics() })
  for (const { action } of ready.flatMap(({ operations }) => operations)) {
    expect([action.actionSlug, explainUnusableSchema(action.parameters)]).toEqual([action.actionSlug, undefined])
    expect([action.actionSlug, await checker.check('account', action.parameters, {})]).not.toEqual([
      action.actionSlug,
      { unusable: true },
    ])
  }
  const create = ready[0]?.operations.find(({ action }) => action.actionSlug === 'GITHUB_CREATE_ISSUE')?.action
  const parameters = { owner: 'backline', repo: 'docs', body: { title: 'Typo' } }
  expect(await checker.check('account', create?.parameters ?? {}, parameters)).toEqual({ valid: true })
  await checker.close()
})
