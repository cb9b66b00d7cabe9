import type { LookupFunction } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isPublicAddress } from '../../../providers/egress/addresses.ts'
import { createFileFetcher } from '../../../providers/egress/files.ts'
import { createEgress } from '../../../providers/egress/guarded.ts'
import { EgressError, type EgressRequest } from '../../../providers/egress/index.ts'
import { publicAddress, startServer, type TestServer } from './servers.ts'

const limits = { timeoutMs: 20_000, maxBytes: 1000 }
const bomb = gzipSync(Buffer.alloc(50_000_000))

let publicServer: TestServer
let otherServer: TestServer
let privateServer: TestServer
beforeAll(async () => {
  publicServer = await startServer(publicAddress, (request, response) => {
    const url = new URL(request.url ?? '', 'http://host')
    const [, word = '', rest = ''] = url.pathname.split('/')
    const to = url.searchParams.get('to') ?? ''
    if (/^30\d$/.test(word)) response.writeHead(Number(word), to === '' ? {} : { location: to }).end()
    else if (word === 'loop') response.writeHead(302, { location: `/loop/${Number(rest) + 1}` }).end()
    else if (word === 'long') response.end('ü'.repeat(2000))
    else if (word === 'bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    else if (word === 'broken') response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')
    else if (word === 'garbage') response.socket?.end('no http at all\r\n\r\n')
    else if (word === 'silent') return
    else if (word === 'slow') setInterval(() => response.write('.'), 20).unref()
    else response.end('open')
  })
  otherServer = await startServer(publicAddress, (_, response) => response.end('elsewhere'))
  privateServer = await startServer('127.0.0.1', (_, response) => response.end('secret'))
})
afterAll(() => Promise.all([publicServer, otherServer, privateServer].map((server) => server.close())))
beforeEach(() => {
  for (const server of [publicServer, otherServer, privateServer]) server.requests.length = 0
})

const mayDial = (address: string): boolean => address === publicAddress
const egress = createEgress({ mayDial })
const send = (url: string, overrides: Partial<EgressRequest> = {}) => egress.send({ url, ...limits, ...overrides })
const readText = async (response: ReturnType<typeof send>): Promise<string> =>
  Buffer.from((await response).body).toString()
const readError = async (response: Promise<unknown>): Promise<string> =>
  response.then(
    () => 'no error',
    (error: unknown) => (error instanceof EgressError ? error.reason : String(error)),
  )

/** Creates a lookup that returns one address list per call and repeats the last list. */
const createLookup = (...addressLists: string[][]): LookupFunction => {
  let lookups = 0
  return (_, __, callback) => {
    const addresses = addressLists[Math.min(lookups++, addressLists.length - 1)] ?? []
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
}

const failLookup: LookupFunction = (_, __, callback) =>
  callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), [])

describe('the set of public addresses', () => {
  it.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700:4700::1111', '2001:4860:4860::8888'])(
    'includes %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    ['unspecified', '0.0.0.0'],
    ['unspecified', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.0.1'],
    ['link-local, metadata', '169.254.169.254'],
    ['carrier-grade NAT', '100.64.0.1'],
    ["a cloud's metadata", '100.100.100.200'],
    ["a cloud's metadata", '192.0.0.192'],
    ["a cloud's own service", '168.63.129.16'],
    ['benchmarking', '198.18.0.1'],
    ['documentation', '203.0.113.9'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['unique-local', 'fc00::1'],
    ["unique-local, a cloud's metadata", 'fd00:ec2::254'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped', '::ffff:a9fe:a9fe'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-translated', '::ffff:0:7f00:1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64 of a site', '64:ff9b:1::a00:1'],
    ['6to4', '2002:7f00:1::1'],
    ['Teredo', '2001:0:7f00:1::'],
    ['documentation', '2001:db8::1'],
    ['outside the global range', '4000::1'],
    ['a name', 'localhost'],
    ['in an unusual notation', '0x7f.1'],
    ['empty', ''],
  ])('excludes an address that is %s: %s', (_, address) => expect(isPublicAddress(address)).toBe(false))
})

describe('the HTTP client for external URLs', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://0x7f.0.0.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://①②⑦.0.0.1:PORT/',
    'http://0.0.0.0:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[64:ff9b::127.0.0.1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://localhost:PORT/',
    'https://127.0.0.1:PORT/',
    'http://169.254.169.254/latest/meta-data/',
  ])('does not reach %s', async (template) => {
    const url = template.replace('PORT', String(privateServer.port))
    const guarded = createEgress()
    expect(await readError(guarded.send({ url, ...limits }))).toBe('address')
    expect(privateServer.requests).toEqual([])
  })

  it.each(['ftp://example.com/', 'file:///etc/passwd', 'data:text/plain,x', 'unix:/run/x', 'http://', 'nonsense', ''])(
    'allows only http and https: %s',
    async (url) => expect(await readError(send(url))).toBe('url'),
  )

  it('accepts no credentials in a URL', async () => {
    expect(await readError(send(publicServer.origin.replace('//', '//user:word@')))).toBe('url')
  })

  it('reaches a public address by IP address and by name', async () => {
    expect(await readText(send(`${publicServer.origin}/a?b=c`))).toBe('open')
    const namedEgress = createEgress({ mayDial, lookup: createLookup([publicAddress]) })
    expect(await readText(namedEgress.send({ url: `http://somewhere.test:${publicServer.port}/`, ...limits }))).toBe(
      'open',
    )
    expect(publicServer.requests.map(({ path }) => path)).toEqual(['/a?b=c', '/'])
    expect(publicServer.requests[1]?.headers.host).toBe(`somewhere.test:${publicServer.port}`)
  })

  it('connects only to the public addresses of a name', async () => {
    const both = createEgress({ mayDial, lookup: createLookup([privateServer.origin.slice(7, 16), publicAddress]) })
    expect(await readText(both.send({ url: `http://both.test:${publicServer.port}/`, ...limits }))).toBe('open')
    const url = `http://both.test:${privateServer.port}/`
    expect(await readError(both.send({ url, ...limits }))).toBe('connection')
    expect(privateServer.requests).toEqual([])
  })

  it('resolves a name for each connection and rejects a name that has become private', async () => {
    const rebound = createEgress({ mayDial, lookup: createLookup([publicAddress], ['127.0.0.1'], ['::1']) })
    const sendRequest = () => rebound.send({ url: `http://rebound.test:${publicServer.port}/`, ...limits })
    expect(await readText(sendRequest())).toBe('open')
    expect(await readError(sendRequest())).toBe('address')
    expect(await readError(sendRequest())).toBe('address')
    expect(publicServer.requests).toHaveLength(1)
  })

  it('resolves and checks a name again when a redirect points to it', async () => {
    const rebound = createEgress({ mayDial, lookup: createLookup([publicAddress], ['127.0.0.1']) })
    const url = `http://rebound.test:${publicServer.port}/302?to=http://rebound.test:${privateServer.port}/`
    expect(await readError(rebound.send({ url, ...limits }))).toBe('address')
    expect(privateServer.requests).toEqual([])
  })

  it.each(['http://127.0.0.1:PORT/', 'http://[::ffff:127.0.0.1]:PORT/', '//127.1:PORT/'])(
    'does not follow a redirect to %s',
    async (template) => {
      const to = encodeURIComponent(template.replace('PORT', String(privateServer.port)))
      expect(await readError(send(`${publicServer.origin}/302?to=${to}`))).toBe('address')
      expect(privateServer.requests).toEqual([])
    },
  )

  it('does not follow a redirect to another protocol', async () => {
    expect(await readError(send(`${publicServer.origin}/302?to=file:///etc/passwd`))).toBe('url')
  })

  it('reaches the allowed paths of the configured private address and no other paths', async () => {
    const ownEgress = createEgress({
      own: { baseUrl: `${privateServer.origin}/path`, isOpen: (path) => path !== '/closed' },
    })
    expect(await readText(ownEgress.send({ url: `${privateServer.origin}/path/x`, ...limits }))).toBe('secret')
    expect(await readError(ownEgress.send({ url: `${privateServer.origin}/path/closed`, ...limits }))).toBe('closed')
    for (const url of [
      `http://127.0.0.1:${publicServer.port}/`,
      `${privateServer.origin}/x`,
      `${privateServer.origin}/pathx`,
    ])
      expect(await readError(ownEgress.send({ url, ...limits }))).toBe('address')
  })

  it('follows at most five redirects', async () => {
    expect(await readError(send(`${publicServer.origin}/loop/0`))).toBe('redirects')
    expect(publicServer.requests.map(({ path }) => path)).toEqual([0, 1, 2, 3, 4, 5].map((index) => `/loop/${index}`))
    const four = [1, 2, 3, 4].reduce((to) => `/302?to=${encodeURIComponent(to)}`, '/end')
    expect(await send(`${publicServer.origin}/302?to=${encodeURIComponent(four)}`)).toMatchObject({
      status: 200,
      url: `${publicServer.origin}/end`,
    })
  })

  it('returns a redirect without a usable location', async () => {
    expect(await send(`${publicServer.origin}/302`)).toMatchObject({ status: 302 })
    expect(await send(`${publicServer.origin}/304`)).toMatchObject({ status: 304 })
  })

  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [302, 'PUT', 'PUT', 'body'],
    [303, 'DELETE', 'GET', ''],
    [307, 'POST', 'POST', 'body'],
    [308, 'PATCH', 'PATCH', 'body'],
  ])('follows redirects as fetch does: after %s, %s becomes %s', async (status, method, becomes, body) => {
    const headers = { 'Content-Type': 'text/x', 'x-own': '1' }
    await send(`${publicServer.origin}/${status}?to=/end`, { method, headers, body: 'body' })
    const [, second] = publicServer.requests
    expect(second).toMatchObject({ method: becomes, path: '/end', body, headers: { 'x-own': '1' } })
    expect(second?.headers['content-type']).toBe(body === '' ? undefined : 'text/x')
  })

  it('keeps the headers on a redirect within an origin and drops them on a redirect to another origin', async () => {
    const headers = { Authorization: 'Bearer x', 'X-Api-Key': 'sk', Cookie: 'c=1', 'accept-language': 'de' }
    await send(`${publicServer.origin}/302?to=/302?to=${encodeURIComponent(`${otherServer.origin}/x`)}`, { headers })
    expect(publicServer.requests[1]?.headers).toMatchObject({
      authorization: 'Bearer x',
      'x-api-key': 'sk',
      cookie: 'c=1',
    })
    const [requests] = otherServer.requests
    expect(requests?.headers['accept-language']).toBe('de')
    for (const name of ['authorization', 'x-api-key', 'cookie']) expect(requests?.headers).not.toHaveProperty(name)
  })

  it('does not forward connection headers', async () => {
    const headers = {
      Host: 'other.test',
      Connection: 'upgrade',
      Upgrade: 'websocket',
      'Transfer-Encoding': 'chunked',
      'Content-Length': '3',
      Expect: '100-continue',
      'Proxy-Authorization': 'x',
      TE: 'trailers',
    }
    await send(`${publicServer.origin}/`, { method: 'POST', headers, body: 'whole body' })
    const [requests] = publicServer.requests
    expect(requests).toMatchObject({ body: 'whole body', headers: { host: `${publicAddress}:${publicServer.port}` } })
    for (const name of ['upgrade', 'transfer-encoding', 'expect', 'proxy-authorization', 'te'])
      expect(requests?.headers).not.toHaveProperty(name)
    expect(requests?.headers['content-length']).toBe('10')
  })

  it('does not send the body of a GET', async () => {
    await send(`${publicServer.origin}/`, { body: 'secret' })
    expect(publicServer.requests[0]).toMatchObject({ method: 'GET', body: '' })
  })

  it('rejects headers with an invalid name or value', async () => {
    expect(await readError(send(`${publicServer.origin}/`, { headers: { 'x-own': 'a\r\nx-api-key: b' } }))).toBe(
      'request',
    )
    expect(await readError(send(`${publicServer.origin}/`, { headers: { 'x own': 'a' } }))).toBe('request')
    expect(publicServer.requests).toEqual([])
  })

  it('truncates a long body, including a body that becomes long when it is decompressed', async () => {
    const long = await send(`${publicServer.origin}/long`)
    expect([long.body.length, long.truncated]).toEqual([1000, true])
    const unpacked = await send(`${publicServer.origin}/bomb`)
    expect([unpacked.body.length, unpacked.truncated]).toEqual([1000, true])
    expect(await send(`${publicServer.origin}/`)).toMatchObject({ truncated: false })
  })

  it.each([
    ['broken', 'response'],
    ['garbage', 'response'],
  ])('reports an invalid response: %s', async (path, error) => {
    expect(await readError(send(`${publicServer.origin}/${path}`))).toBe(error)
  })

  it.each(['silent', 'slow'])('times out when the server is %s', async (path) => {
    const request = { timeoutMs: 300, maxBytes: 1_000_000 }
    expect(await readError(send(`${publicServer.origin}/${path}`, request))).toBe('time')
  })

  it('times out when a name is never resolved', async () => {
    const silentEgress = createEgress({ lookup: () => {} })
    expect(await readError(silentEgress.send({ url: 'http://lost.test/', ...limits, timeoutMs: 300 }))).toBe('time')
  })

  it("rejects with the caller's abort reason", async () => {
    const controller = new AbortController()
    const sent = readError(send(`${publicServer.origin}/silent`, { signal: controller.signal }))
    await vi.waitFor(() => expect(publicServer.requests).toHaveLength(1), 60_000)
    controller.abort(new Error('stopped by the caller'))
    expect(await sent).toBe('Error: stopped by the caller')
  })

  it('does not reveal why a connection failed', async () => {
    const closed = await startServer(publicAddress, () => {})
    await closed.close()
    const failing = send(`${closed.origin}/`)
    await expect(failing).rejects.toThrow(/^The connection failed$/)
    const url = 'http://nowhere.test/'
    expect(await readError(createEgress({ lookup: failLookup }).send({ url, ...limits }))).toBe('name')
  })

  it('does not use a proxy from the environment', async () => {
    vi.stubEnv('HTTP_PROXY', otherServer.origin)
    vi.stubEnv('http_proxy', otherServer.origin)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    expect(await readText(createEgress({ mayDial }).send({ url: `${publicServer.origin}/`, ...limits }))).toBe('open')
    expect(otherServer.requests).toEqual([])
    vi.unstubAllEnvs()
  })
})

const measureSize = async (content: AsyncIterable<Uint8Array>): Promise<number> => {
  let size = 0
  for await (const chunk of content) size += chunk.length
  return size
}

const rejectContent = () => Promise.reject(new Error('not wanted'))

describe('an external file', () => {
  const safe = createFileFetcher(createEgress(), { allowPrivate: false })
  const privateAllowed = createFileFetcher(egress, { allowPrivate: true })

  it.each([
    ['http://files.test/track.mp3', 'secure'],
    ['https://files.test:8443/track.mp3', 'secure'],
    ['https://127.0.0.1/track.mp3', 'address'],
    ['https://[::ffff:10.0.0.1]/track.mp3', 'address'],
    ['https://user:word@files.test/track.mp3', 'url'],
    ['https://files.test/tr\nack.mp3', 'url'],
    [`https://files.test/${'a'.repeat(2048)}`, 'url'],
  ])('is not fetched from %j', async (url, error) => {
    expect(await readError(safe.read(url, measureSize))).toBe(error)
  })

  it('is streamed and decompressed, after at most three redirects', async () => {
    expect(await privateAllowed.read(`${publicServer.origin}/bomb`, measureSize)).toBe(50_000_000)
    expect(await privateAllowed.read(`${publicServer.origin}/302?to=/long`, measureSize)).toBe(4000)
    expect(await readError(privateAllowed.read(`${publicServer.origin}/loop/0`, measureSize))).toBe('redirects')
    expect(publicServer.requests.filter(({ path }) => path.startsWith('/loop'))).toHaveLength(4)
  })

  it("fails with the consumer's error, and fails if the connection is lost", async () => {
    expect(await readError(privateAllowed.read(`${publicServer.origin}/long`, rejectContent))).toBe('Error: not wanted')
    expect(await readError(privateAllowed.read(`${publicServer.origin}/broken`, measureSize))).toBe('response')
    expect(await readError(privateAllowed.read(`${publicServer.origin}/304`, measureSize))).toBe('response')
  })
})
