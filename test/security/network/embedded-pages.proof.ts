import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { teamChatSettings } from '../../../config.ts'
import { openTemporalUi } from '../../../dev/stack/temporal/ui.ts'
import { embeddedWorkspace } from '../../../domain/content/agent/messages.ts'
import { isOpenToRuns } from '../../../domain/runs/paths.ts'
import { createEgress } from '../../../providers/egress/guarded.ts'
import { operatorId } from '../../../providers/payment/embedded/pages/operator-page.ts'
import { tokenRequest } from '../../world/bearer.ts'
import { sign } from '../../content/agent-api.ts'
import { inboxPath } from '../../mail/inbox.ts'
import { createBrowser } from '../../payments/pages/browser.ts'
import { effect } from '../../payments/effects.ts'
import { loopback } from '../../world/loopback.ts'
import { createWorld, type World } from '../../world/world.ts'
import { runInWorker } from '../../tools/run-tool.ts'

type RawResponse = { status: number; headers: NodeJS.Dict<string | string[]>; text: string }

let world: World
let checkout: string
beforeAll(async () => {
  world = await createWorld({
    worker: false,
    settings: { ALLOWED_HOSTS: 'mail.example, [fd00::1]', BASE_URL: 'http://backline.example:8787' },
  })
  const opened = await world.deps.payments.createCheckout(
    {
      mode: 'payment',
      lines: [{ name: 'credits', amountCents: 500 }],
      successUrl: 'https://shop.example/',
      metadata: {},
    },
    effect(),
  )
  checkout = new URL(opened.url).pathname
})
afterAll(() => world.close())

/** Sends a request with any Host and with repeated headers, which `fetch` does not allow. */
const send = (method: string, path: string, headers: string[], body = '', to = world.baseUrl): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const { hostname: name, port } = new URL(to)
    const hostname = name.replace(/^\[(.*)\]$/, '$1')
    const hasHost = headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
    const length = ['content-length', String(Buffer.byteLength(body))]
    const all = [...(hasHost ? [] : ['Host', `localhost:${port}`]), ...headers, ...length]
    const request = sendRequest(
      { hostname, port, method, path, headers: all, setHost: false, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })

const json = ['Content-Type', 'application/json']
const token = (email = 'victim@example.com'): string => JSON.stringify(tokenRequest(world, email))
const listPages = (): [string, string][] => [
  ['GET', '/identity/jwks.json'],
  ['POST', '/identity/token'],
  ['GET', inboxPath(world)],
  ['GET', `${inboxPath(world)}/00000000-0000-4000-8000-000000000000`],
  ['GET', checkout],
  ['POST', checkout],
  ['GET', `/checkout/${operatorId}/guess`],
]

describe('the embedded issuer', () => {
  test.each([{}, { development_token: '' }, { development_token: 'guess' }, { development_token: ['x'] }])(
    'issues no token for %j',
    async (fields) => {
      const body = { email: 'victim@example.com', ...fields }
      const response = await world.request('POST', '/identity/token', { body })
      expect([400, 403]).toContain(response.status)
      expect(response.text).not.toContain('access_token')
    },
  )

  test('issues a token for the development token that `npm start` prints', async () => {
    expect((await send('POST', '/identity/token', json, token())).status).toBe(200)
  })
})

describe('a page whose host name was rebound to the address of this machine', () => {
  test.each([
    'evil.example',
    'evil.example:8787',
    'localhost.evil.example',
    'backline.example.evil.example',
    '169.254.0.1',
    '0.0.0.0',
    'evil.example@localhost',
    'localhost/evil.example',
    '',
  ])('with the host %j receives no content of the embedded stack', async (host) => {
    for (const [method, path] of listPages()) {
      const response = await send(method, path, ['Host', host, ...json], token())
      expect([method, path, response.status]).toEqual([method, path, 421])
      expect(response.text).toContain('ALLOWED_HOSTS')
    }
  })

  test('receives no content if it sends a trusted host name before or after its own', async () => {
    for (const hosts of [
      ['localhost', 'evil.example'],
      ['evil.example', 'localhost'],
    ]) {
      const hostHeaders = hosts.flatMap((host) => ['Host', host])
      expect([400, 421]).toContain((await send('POST', '/identity/token', [...hostHeaders, ...json], token())).status)
    }
  })

  test.each([
    'localhost',
    'LOCALHOST:1',
    'app.localhost:8787',
    '127.0.0.1:8787',
    '127.8.8.8',
    '[::1]:8787',
    'backline.example',
    'backline.example.:443',
    'mail.example',
    '[fd00::1]',
  ])('is distinguished from a page at the trusted host %s, which receives content', async (host) => {
    expect((await send('POST', '/identity/token', ['Host', host, ...json], token())).status).toBe(200)
  })

  test('can reach the API, which accepts no credential that a browser adds automatically', async () => {
    const { key, id } = await world.makeAccount()
    const response = await send('GET', '/api/accounts/id', ['Host', 'evil.example', 'x-api-key', key])
    expect([response.status, JSON.parse(response.text)]).toEqual([
      200,
      { status: 'success', accountId: id, account_id: id },
    ])
    const cookie = ['Host', 'evil.example', 'Cookie', `x-api-key=${key}`]
    expect((await send('GET', '/api/accounts/id', cookie)).status).toBe(401)
  })
})

describe('a page of another site', () => {
  test('can neither read nor frame the embedded stack', async () => {
    const requests = listPages().flatMap(
      ([method, path]) =>
        [
          [method, path],
          ['OPTIONS', path],
          ['PATCH', path],
        ] as const,
    )
    for (const [method, path] of requests) {
      const foreign = ['Origin', 'https://evil.example', 'Access-Control-Request-Method', 'POST', ...json]
      const { headers } = await send(method, path, foreign, token())
      const cors = Object.keys(headers).filter((name) => name.startsWith('access-control'))
      expect([method, path, cors]).toEqual([method, path, []])
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      expect(headers['x-frame-options']).toMatch(/^(?:SAMEORIGIN|DENY)$/)
    }
  })

  test.each([
    [['Origin', 'https://evil.example']],
    [['Origin', 'null']],
    [['Origin', 'http://localhost.evil.example']],
    [['Sec-Fetch-Site', 'cross-site']],
    [['Sec-Fetch-Site', 'same-site', 'Origin', 'http://backline.example:8787']],
  ])('cannot submit a form to the embedded stack with the headers %j', async (headers) => {
    for (const path of ['/identity/token', checkout]) {
      const response = await send('POST', path, [...json, ...headers], token())
      expect([path, response.status]).toEqual([path, 403])
    }
  })

  test('is distinguished from pages of the service, even behind a proxy that changes the host', async () => {
    const { port } = new URL(world.baseUrl)
    for (const origin of [`http://localhost:${port}`, 'http://backline.example:8787'])
      expect((await send('POST', '/identity/token', [...json, 'Origin', origin], token())).status).toBe(200)
    const browser = createBrowser(world)
    expect((await browser.send(`${world.baseUrl}${checkout}`, { action: 'none' })).status).toBe(303)
  })
})

/** Flattens headers into alternating names and values. */
const flattenHeaders = (headers: Record<string, string>): string[] => Object.entries(headers).flat()

const fetchAsAgent = (baseUrl: string, path: string, method = 'POST') =>
  runInWorker(
    'fetch',
    { url: `${baseUrl}${path}`, method, body: token(), headers: { 'Content-Type': 'application/json' } },
    {
      signal: new AbortController().signal,
      runId: 'wrun_1',
      toolCallId: 'call_1',
      egress: createEgress({ own: { baseUrl: world.baseUrl, isOpen: isOpenToRuns } }),
      baseUrl: world.baseUrl,
    },
  )

const countEvents = async () =>
  (await world.db`select 1 from chat_platform_events where event_id = ${`${embeddedWorkspace}:C1:17.1`}`).length

describe('the embedded team chat', () => {
  const event = JSON.stringify({
    type: 'event_callback',
    team_id: embeddedWorkspace,
    event_id: 'Ev-forged',
    event: { type: 'app_mention', channel: 'C1', ts: '17.1', text: 'batch=30' },
  })
  const path = '/api/content-agent/teamchat'

  test('receives no unsigned event from a web page, a program or an agent', async () => {
    for (const headers of [
      json,
      [...json, 'Origin', 'https://evil.example'],
      [...json, ...flattenHeaders(sign(event))],
    ])
      expect((await send('POST', path, headers, event)).status).toBe(401)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      expect((await send('POST', path, ['Content-Type', type], event)).status).toBe(415)
    expect(await fetchAsAgent(world.baseUrl, path)).toEqual({
      success: false,
      error: 'This path of the platform is closed to agents',
    })
    expect(await countEvents()).toBe(0)
  })

  test('receives an event that is signed with the secret of this deployment', async () => {
    const secret = teamChatSettings(world.config).signingSecret
    expect((await send('POST', path, flattenHeaders(sign(event, { secret })), event)).status).toBe(200)
    expect(await countEvents()).toBe(1)
  })
})

describe('the fetch tool', () => {
  test.each(['/identity/token', '/%69dentity/token', '/x/../identity/token', '/%2569dentity/token'])(
    'obtains no identity token from %s',
    async (path) => {
      const refused = { success: false, error: 'This path of the platform is closed to agents' }
      expect(await fetchAsAgent(world.baseUrl, path)).toEqual(refused)
    },
  )

  test('opens no email page and no payment page, even with its URL', async () => {
    for (const path of [inboxPath(world), checkout])
      expect(await fetchAsAgent(world.baseUrl, path, 'GET')).toMatchObject({ success: false })
  })

  test("reaches no other port of this machine, such as Postgres, Temporal or Temporal's HTTP API", async () => {
    const { hostname, port } = new URL(world.databaseUrl)
    for (const address of [`${hostname}:${port}`, world.temporalAddress, inject('temporalHttpAddress')])
      expect(await fetchAsAgent(`http://${address}`, '/')).toEqual({
        success: false,
        error: 'The address is not public',
      })
  })
})

describe('Temporal', () => {
  test('accepts no request to its HTTP API under any host name', async () => {
    const address = inject('temporalHttpAddress')
    const start = JSON.stringify({ workflowType: { name: 'x' }, taskQueue: { name: 'absent' } })
    for (const host of [address, 'localhost', 'evil.example']) {
      const headers = ['Host', host, 'Content-Type', 'text/plain', 'Origin', 'https://evil.example']
      const path = '/api/v1/namespaces/default/workflows/forged'
      expect((await send('POST', path, headers, start, `http://${address}`)).status).toBe(403)
    }
  })

  test('serves its pages only under host names of this machine', async () => {
    const upstream = createServer((request, response) => request.pipe(response)).listen(0, '127.0.0.1')
    await new Promise((resolve) => upstream.once('listening', resolve))
    const upstreamAddress = { host: '127.0.0.1', port: (upstream.address() as AddressInfo).port }
    const ui = await openTemporalUi(0, upstreamAddress)
    try {
      for (const to of loopback.map((address) => `http://${address}:${ui.port}`)) {
        for (const host of ['localhost:8233', '127.0.0.1', '[::1]:8233'])
          expect(await send('POST', '/x', ['Host', host], 'said', to)).toMatchObject({ status: 200, text: 'said' })
        for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', ''])
          expect((await send('POST', '/x', ['Host', host], 'said', to)).status).toBe(421)
      }
    } finally {
      await ui.close()
      await new Promise((resolve) => upstream.close(resolve))
    }
  })
})
