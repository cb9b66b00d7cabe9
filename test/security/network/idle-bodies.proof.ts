import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { boundConnections } from '../../../api/http/limits/connections.ts'
import { createMetrics } from '../../../api/monitoring/metrics.ts'
import { loadConfig } from '../../../config.ts'
import { saveWorkspace } from '../../../db/sandboxes/sandboxes.ts'
import { publicInternet } from '../../../providers/sandbox/network/dial.ts'
import { createMeters, defaultNetworkLimits } from '../../../providers/sandbox/network/meter.ts'
import { createProxy } from '../../../providers/sandbox/network/proxy.ts'
import { readMetric } from '../../load/numbers.ts'
import { range } from '../../load/readers/reader.ts'
import { createWorld, eventually, type TestAccount, type World } from '../../world/world.ts'

const execute = promisify(execFile)
/** Maximum number of receiving requests of one client, which is a quarter of the limit of the process. */
const share = 10
const gitShare = 2
const socketCount = 60

let world: World
let attacker: TestAccount
let victim: TestAccount
let folder: string
beforeAll(async () => {
  world = await createWorld({
    worker: false,
    settings: {
      TRUSTED_PROXIES: '127.0.0.0/8',
      RATE_LIMIT_SIGNUPS_PER_HOUR: '0',
      LIMIT_REQUESTS: String(4 * share),
      LIMIT_GIT_REQUESTS: String(4 * gitShare),
      LIMIT_BODY_MEGABYTES: '4',
      BODY_TIMEOUT_SECONDS: '2',
      BODY_MIN_BYTES_PER_SECOND: '1000',
      STREAM_STALL_SECONDS: '1',
    },
  })
  attacker = await world.makeAccount()
  victim = await world.makeAccount()
  const host = world.deps.codeHost
  for (const { id } of [attacker, victim]) {
    const created = await host.ensureRepository(id)
    await saveWorkspace(world.db, id, {
      repoOwner: created.owner,
      repoName: created.name,
      cloneUrl: created.cloneUrl,
    })
  }
  folder = await mkdtemp(join(tmpdir(), 'backline-idle-'))
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const getApiPort = (): number => Number(new URL(world.baseUrl).port)

type Head = { method?: string; path: string; headers: Record<string, string> }

/** Sends the headers of a request and the first bytes of its body. */
const beginRequest = (head: Head, port = getApiPort(), length = 10_000, first = '{') => {
  const { method = 'POST', path, headers } = head
  const all = { host: new URL(world.baseUrl).host, 'content-length': String(length), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  socket.on('error', () => {})
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${first}`)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return {
    socket,
    closed,
    status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0),
    response: () => received,
  }
}

const readCurrentMetric = (name: string): Promise<number> => readMetric(world.metricsUrl, name)
const json = { 'content-type': 'application/json' }
const forwardedFrom = (address: string) => ({ 'x-forwarded-for': address })

/**
 * Keeps `socketCount` idle requests open. The returned function waits until a request times out, ends all requests and
 * returns their statuses.
 */
const attack = (head: Head, port = getApiPort()) => {
  const statuses = new Set<number>()
  const abortController = new AbortController()
  const keepRequestOpen = async (): Promise<void> => {
    while (!abortController.signal.aborted) {
      const request = beginRequest(head, port)
      openSockets.add(request.socket)
      await request.closed
      openSockets.delete(request.socket)
      if (request.status() !== 0) statuses.add(request.status())
    }
  }
  const openSockets = new Set<Socket>()
  const running = Promise.all(range(socketCount).map(keepRequestOpen))
  const stop = async (): Promise<void> => {
    abortController.abort()
    for (const socket of openSockets) socket.destroy()
    await running
  }
  onTestFinished(stop)
  return async () => {
    await eventually('a request timeout', async () => (statuses.has(408) ? true : undefined))
    await stop()
    await eventually('the end of all requests', async () =>
      (await readCurrentMetric('backline_receiving')) === 0 ? true : undefined,
    )
    return statuses
  }
}

const untilFull = (count: number) =>
  eventually('the full share of the client', async () =>
    (await readCurrentMetric('backline_receiving')) === count ? true : undefined,
  )

/** Sends requests of other clients and expects their usual responses. */
const expectOthersServed = async (): Promise<void> => {
  const { key } = victim
  const large = { title: 'x'.repeat(100_000) }
  const responses = await Promise.all([
    world.request('POST', '/api/sessions', { key, body: {}, headers: forwardedFrom('198.51.100.7') }),
    world.request('PATCH', `/api/sessions/${randomUUID()}`, { key, body: large }),
    world.request('POST', '/api/agents/signup', {
      body: { email: `${randomUUID()}@example.com` },
      headers: forwardedFrom('198.51.100.7'),
    }),
    world.request('POST', '/api/webhooks/payments', { body: {}, headers: forwardedFrom('198.51.100.7') }),
    world.request('GET', `/git/workspaces/${victim.id}.git/info/refs?service=git-receive-pack`, { key }),
  ])
  expect(responses.map(({ status }) => status)).toEqual([200, 400, 200, 400, 200])
}

const attacks: [string, () => Head][] = [
  [
    'of one account',
    () => ({ method: 'PATCH', path: `/api/sessions/${randomUUID()}`, headers: { ...json, 'x-api-key': attacker.key } }),
  ],
  [
    'on the payment webhook',
    () => ({ path: '/api/webhooks/payments', headers: { ...json, ...forwardedFrom('203.0.113.1') } }),
  ],
  [
    'on the sign-up route',
    () => ({ path: '/api/agents/signup', headers: { ...json, ...forwardedFrom('203.0.113.2') } }),
  ],
  [
    'on a payment page',
    () => ({
      path: `/checkout/${randomUUID()}/key`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...forwardedFrom('203.0.113.3') },
    }),
  ],
]

describe('idle request bodies', () => {
  test.each(attacks)(
    '%s use only a share of the request slots, are closed and do not affect other clients',
    async (_, head) => {
      const slowBodiesBefore = await readCurrentMetric('backline_slow_bodies_total')
      const end = attack(head())
      await untilFull(share)
      await expectOthersServed()
      await expectOthersServed()
      expect(await readCurrentMetric('backline_receiving')).toBeLessThanOrEqual(share)
      expect(await end()).toEqual(new Set([408, 429]))
      expect(await readCurrentMetric('backline_slow_bodies_total')).toBeGreaterThan(slowBodiesBefore)
    },
  )

  test('of four accounts at one address leave slots for other clients, even at the same address', async () => {
    const accounts = [attacker, ...(await Promise.all(range(3).map(() => world.makeAccount())))]
    const heads = accounts.map(({ key }) => ({
      method: 'PATCH',
      path: `/api/sessions/${randomUUID()}`,
      headers: { ...json, 'x-api-key': key, ...forwardedFrom('203.0.113.9') },
    }))
    const ends = heads.map((head) => attack(head))
    await eventually('the full share of the address', async () =>
      (await readCurrentMetric('backline_receiving')) > 13 ? true : undefined,
    )
    for (const address of ['203.0.113.9', '198.51.100.8']) {
      const ownCredentials = { key: victim.key, headers: forwardedFrom(address) }
      const response = await world.request('PATCH', `/api/sessions/${randomUUID()}`, {
        ...ownCredentials,
        body: { title: 'x' },
      })
      expect(response.status).toBe(404)
    }
    await expectOthersServed()
    expect(await readCurrentMetric('backline_receiving')).toBeLessThan(2 * share)
    const statuses = await Promise.all(ends.map((end) => end()))
    expect(statuses).toEqual(heads.map(() => new Set([408, 429])))
  })

  test('of git pushes use only a share of the git processes, and another client can push', async () => {
    const headers = { 'x-api-key': attacker.key, 'content-type': 'application/x-git-receive-pack-request' }
    const end = attack({ path: `/git/workspaces/${attacker.id}.git/git-receive-pack`, headers })
    await untilFull(gitShare)
    await expectOthersServed()
    const address = new URL(`${world.baseUrl}/git/workspaces/${victim.id}.git`)
    Object.assign(address, { username: 'x', password: victim.key })
    const tree = join(folder, 'tree')
    const git = (...args: string[]) => execute('git', args, { env: { PATH: process.env['PATH'], HOME: folder } })
    await git('clone', '--quiet', address.href, tree)
    await writeFile(join(tree, 'song.txt'), 'la')
    const identity = ['-c', 'user.name=Person', '-c', 'user.email=person@example.com']
    await git('-C', tree, 'add', '-A')
    await git('-C', tree, ...identity, 'commit', '--quiet', '-m', 'Write')
    await git('-C', tree, 'push', '--quiet', 'origin', 'HEAD')
    expect(await end()).toEqual(new Set([408, 429]))
  })

  test('of an agent behind its proxy do not affect other clients or its owner', async () => {
    const key = await world.makeKey(attacker.id, { expiresAt: new Date(Date.now() + 600_000) })
    const platform = { address: world.baseUrl, headers: () => Promise.resolve({ 'x-api-key': key }) }
    const meters = createMeters(defaultNetworkLimits)
    const access = { services: [platform] }
    const proxy = createProxy({ access, reach: 'public', internet: publicInternet, meter: meters.acquire('one') })
    onTestFinished(() => proxy.close())
    proxy.server.listen(0, '127.0.0.1')
    await once(proxy.server, 'listening')
    const { port } = proxy.server.address() as AddressInfo
    // The API trusts the address of the proxy but not the address that the agent sends.
    const end = attack({ path: '/api/sessions', headers: { ...json, ...forwardedFrom('203.0.113.13') } }, port)
    await untilFull(share)
    await expectOthersServed()
    const ownKeys = await world.request('GET', '/api/keys', { key: attacker.key })
    const stop = await world.request('POST', `/api/chat/${randomUUID()}/stop`, { key: attacker.key })
    const otherClient = await world.request('POST', '/api/webhooks/payments', { body: {} })
    expect([ownKeys.status, stop.status, otherClient.status]).toEqual([200, 404, 400])
    expect(await end()).toEqual(new Set([408, 429]))
    // Routes that are closed to agents use no slot.
    const closedRoutes = ['/api/webhooks/payments', '/api/agents/signup'].map((path) =>
      beginRequest({ path, headers: json }, port),
    )
    await Promise.all(closedRoutes.map(({ closed }) => closed))
    expect(closedRoutes.map(({ status }) => status())).toEqual([403, 403])
    expect(await readCurrentMetric('backline_receiving')).toBe(0)
  })

  test('count by the bytes received, not by the declared length', async () => {
    const headers = { ...json, 'x-api-key': attacker.key }
    const head = { method: 'PATCH', path: `/api/sessions/${randomUUID()}`, headers }
    const largeRequests = range(share).map(() => beginRequest(head, getApiPort(), 900_000))
    await untilFull(share)
    expect(await readCurrentMetric('backline_request_body_bytes')).toBe(share)
    for (const { socket } of largeRequests) socket.write('x'.repeat(500_000))
    await eventually('rejections', async () =>
      largeRequests.filter(({ status }) => status() === 429).length >= share - 3 ? true : undefined,
    )
    expect(await readCurrentMetric('backline_request_body_bytes')).toBeLessThanOrEqual(1024 * 1024)
    await expectOthersServed()
    for (const { socket } of largeRequests) socket.destroy()
  })
})

describe('a slow request body', () => {
  test('that is buffered in memory is rejected after its time limit, and the response states the reason', async () => {
    const slow = beginRequest({ path: '/api/sessions', headers: { ...json, 'x-api-key': attacker.key } })
    const trickle = setInterval(() => slow.socket.write(' '), 100)
    await slow.closed
    clearInterval(trickle)
    expect(slow.status()).toBe(408)
    expect(slow.response()).toMatch(/connection: close/i)
    expect(slow.response()).toContain('{"status":"error","error":"Request body was not received in time"}')
  })

  test('of a git push continues while it arrives at the minimum rate', async () => {
    const headers = { 'x-api-key': attacker.key, 'content-type': 'application/x-git-receive-pack-request' }
    const head = { path: `/git/workspaces/${attacker.id}.git/git-receive-pack`, headers }
    // Git sends no response to an incomplete pkt-line.
    const beginLine = () => beginRequest(head, getApiPort(), 0xfff0, '1000')
    const [steady, slow] = [beginRequest(head, getApiPort(), 0xfff0, '0005x'), beginLine()]
    const sending = setInterval(() => steady.socket.write(`01f4${'x'.repeat(496)}`), 100)
    const trickling = setInterval(() => slow.socket.write('x'), 100)
    await slow.closed
    const next = beginLine()
    await next.closed
    clearInterval(sending)
    clearInterval(trickling)
    expect([slow.status(), next.status(), steady.status()]).toEqual([408, 408, 0])
    await steady.closed
    expect(steady.status()).toBe(408)
  })

  test('whose response is sent before the body ends has its connection closed', async () => {
    const heads: Head[] = [
      { path: '/nowhere', headers: json },
      { path: '/api/sessions', headers: json },
      { method: 'GET', path: '/healthz', headers: json },
      { method: 'OPTIONS', path: '/api/sessions', headers: json },
      { method: 'PUT', path: '/blob/?pathname=x', headers: { authorization: 'Bearer x' } },
    ]
    const earlyResponses = heads.map((head) => beginRequest(head))
    await Promise.all(earlyResponses.map(({ closed }) => closed))
    expect(earlyResponses.map(({ status }) => status())).toEqual([404, 401, 200, 204, 403])
  })
})

test('a response that the client does not read is closed', async () => {
  const before = await readCurrentMetric('backline_stuck_readers_total')
  const socket = connect(getApiPort(), '127.0.0.1').pause()
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(60))
  await eventually('the closed response', async () =>
    (await readCurrentMetric('backline_stuck_readers_total')) > before ? true : undefined,
  )
})

test('connections of one address use only a share of the connections of the process', async () => {
  const server = createServer((_, response) => void response.end('ok'))
  boundConnections(server, loadConfig({ LIMIT_CONNECTIONS: '8' }), createMetrics())
  server.listen(0, '::')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const sendRequest = async (localAddress: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    const [text] = (await once(socket.setEncoding('latin1'), 'data')) as [string]
    return { socket, status: Number(text.slice(9, 12)) }
  }
  const first = [await sendRequest('127.0.0.1'), await sendRequest('127.0.0.1')]
  expect(first.map(({ status }) => status)).toEqual([200, 200])
  expect([(await sendRequest('127.0.0.1')).status, (await sendRequest('127.0.0.2')).status]).toEqual([429, 200])
  first[0]?.socket.destroy()
  await eventually('a free connection slot', async () =>
    (await sendRequest('127.0.0.1')).status === 200 ? true : undefined,
  )
})

const openSocket = async (port = 0): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

test('a sandbox has at most one outgoing connection for each connection to its proxy', async () => {
  let requestCount = 0
  const destination = createServer(() => void requestCount++)
  destination.listen(0, '127.0.0.1')
  await once(destination, 'listening')
  const { port: destinationPort } = destination.address() as AddressInfo
  const internet = { resolve: () => Promise.resolve(['127.0.0.1']), allows: () => true }
  const meters = createMeters({ ...defaultNetworkLimits, allConnections: 2 })
  const proxies = ['one', 'two'].map((name) =>
    createProxy({ access: { services: [] }, reach: 'public', internet, meter: meters.acquire(name) }),
  )
  for (const { server } of proxies) await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const proxy of proxies) proxy.close()
    destination.closeAllConnections()
    destination.close()
  })
  const ports = proxies.map(({ server }) => (server.address() as AddressInfo).port)
  const pipelined = await openSocket(ports[0])
  pipelined.write(`GET http://127.0.0.1:${destinationPort}/ HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(50))
  await eventually('the first request', async () => (requestCount === 1 ? true : undefined))
  const other = await openSocket(ports[1])
  other.write(`GET http://127.0.0.1:${destinationPort}/ HTTP/1.1\r\nhost: x\r\n\r\n`)
  await eventually('the second request', async () => (requestCount > 1 ? true : undefined))
  expect(requestCount).toBe(2)
  const third = await openSocket(ports[1])
  await once(third, 'close')
  expect(requestCount).toBe(2)
})
