import { readdir } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NetworkAccess } from '../../../../providers/sandbox/network/access.ts'
import {
  createInternet,
  createPlatformAccess,
  openNetworkFixture,
  runSecret,
  startRecorder,
  type Recorder,
  type NetworkFixture,
} from './fixture.ts'
import { gitIdentity, limits, localDrivers } from '../contract.ts'

const bubblewrap = (await localDrivers()).find(({ name }) => name === 'bubblewrap')

/** Sends the exact text of a request to the proxy from inside the sandbox. */
const sendRaw = (text: string): string =>
  `exec 3<>/dev/tcp/127.0.0.1/61080; printf '%b' '${text.replaceAll('\r\n', '\\r\\n')}' >&3; timeout 10 cat <&3`

describe.skipIf(bubblewrap?.available !== true)('an agent with network access', () => {
  let fixture: NetworkFixture
  let hidden: Recorder
  let platform: Recorder
  let access: NetworkAccess
  beforeAll(async () => {
    fixture = await openNetworkFixture('bubblewrap', { reach: 'public' })
    hidden = await startRecorder()
    platform = await startRecorder()
    access = createPlatformAccess(`${platform.origin}/base`, platform)
  })
  afterAll(async () => {
    await hidden.close()
    await platform.close()
    await fixture.close()
  })

  const fetchThroughProxy = (target: string): Promise<{ output: string }> =>
    fixture.run(`curl -sS -m 20 --noproxy '' -x http://127.0.0.1:61080 '${target}'`, access)

  it('cannot reach an address of this machine or its networks in any notation', async () => {
    const { port } = hidden
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0.0.0.0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
    ])
      expect((await fetchThroughProxy(`http://${host}:${port}/`)).output, host).toContain('Only public addresses')
    expect(hidden.requests).toEqual([])
  })

  it('cannot reach a private network or a metadata service', async () => {
    for (const host of [
      '10.0.0.1',
      '192.168.0.1',
      '172.17.0.1',
      '100.100.100.200',
      '169.254.169.254',
      '[fd00:ec2::254]',
    ])
      expect((await fetchThroughProxy(`http://${host}/latest/meta-data/`)).output, host).toContain(
        'Only public addresses',
      )
  })

  it('cannot resolve a name of this machine', async () => {
    for (const host of ['localhost', 'localhost.', hostname()])
      expect((await fetchThroughProxy(`http://${host}:${hidden.port}/`)).output, host).toMatch(
        /public addresses|does not resolve/,
      )
    expect(hidden.requests).toEqual([])
  })

  it('cannot open a tunnel to a private address', async () => {
    for (const target of [`127.0.0.1:${hidden.port}`, `127.1:${hidden.port}`, '169.254.169.254:80', '[::1]:22'])
      expect(
        (await fixture.run(sendRaw(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`), access)).output,
        target,
      ).toMatch(/^HTTP\/1\.1 403 Forbidden/)
    for (const target of ['x', 'x:y', 'a@b:80', 'host:99999', '/'])
      expect(
        (await fixture.run(sendRaw(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`), access)).output,
        target,
      ).toMatch(/^HTTP\/1\.1 (400|403|502)/)
    expect(hidden.requests).toEqual([])
  })

  it('cannot bypass the proxy', async () => {
    const { output } = await fixture.run(
      `for host in 127.0.0.1 10.0.0.1 1.1.1.1; do timeout 3 bash -c "echo x > /dev/tcp/$host/${hidden.port}" && echo reached; done
       curl -s -m 3 --noproxy '*' http://127.0.0.1:${hidden.port}/ && echo reached; tail -n +3 /proc/net/dev | cut -d: -f1; grep -c @ /proc/net/unix`,
      access,
    )
    expect(output).not.toContain('reached')
    expect(output).toMatch(/\n *lo\n0\n$/)
    expect(hidden.requests).toEqual([])
  })

  it('reaches a platform that is served under a path only under this path', async () => {
    const countBefore = platform.requests.length
    for (const path of ['/', '/other', '/base/../other', '/basement', '/base/..%2fother/../../x'])
      await fixture.run(
        sendRaw(`GET ${platform.origin}${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
        access,
      )
    expect(platform.requests.slice(countBefore).map(({ url }) => url)).toEqual([])
    await fetchThroughProxy(`${platform.origin}/base/inside`)
    expect(platform.requests.at(-1)).toMatchObject({ url: '/base/inside', headers: { 'x-api-key': runSecret } })
  })

  it('cannot smuggle a second request behind the end of another request', async () => {
    const target = `${platform.origin}/base/one`
    const head = `POST ${target} HTTP/1.1\r\nHost: x\r\n`
    const inner = `GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n`
    const countBefore = platform.requests.length
    for (const text of [
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
      `${head}Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      `${head}Content-Length: ${inner.length}\r\nContent-Length: 0\r\n\r\n${inner}`,
      `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${inner}`,
      `${head}Transfer-Encoding : chunked\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      `${head}Connection: content-length\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
    ])
      await fixture.run(`timeout 5 bash -c ${JSON.stringify(sendRaw(text)).replaceAll('$', '\\$')}`, access)
    const forwarded = platform.requests.slice(countBefore)
    expect(forwarded.map(({ url }) => url).filter((url) => url !== '/base/one')).toEqual([])
    // The platform receives the inner request only as a body.
    expect(forwarded.some(({ body }) => body === inner)).toBe(true)
  })

  it('cannot send connection headers or too many headers', async () => {
    await fixture.run(
      `curl -sS --noproxy '' -x http://me:word@127.0.0.1:61080 -H 'Connection: x-api-key, x-own' -H 'x-own: 1' ${platform.origin}/base/a`,
      access,
    )
    const { headers } = platform.requests.at(-1) ?? { headers: {} }
    expect(headers).toMatchObject({ 'x-api-key': runSecret })
    expect(headers).not.toHaveProperty('proxy-authorization')
    expect(headers).not.toHaveProperty('x-own')
    const { output } = await fixture.run(
      `curl -s -o /dev/null -w '%{http_code}' -H "x-much: $(head -c 40000 /dev/zero | tr '\\0' a)" ${platform.origin}/base/b`,
      access,
    )
    expect(output).toBe('431')
    expect((await fixture.run(`curl -sS -X TRACE ${platform.origin}/base/c`, access)).output).not.toContain(runSecret)
    expect(platform.requests.at(-1)?.url).toBe('/base/a')
  })

  it('connects only to the address that was checked, even if the name later resolves to another address', async () => {
    const resolutions = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1', '127.0.0.2']]
    const allowed = await startRecorder(undefined, { address: '127.0.0.2', port: hidden.port })
    const rebound = await openNetworkFixture('bubblewrap', {
      reach: 'public',
      internet: {
        ...createInternet({}, hidden.port),
        resolve: () => Promise.resolve(resolutions.shift() ?? []),
        allows: (address, port) => address === '127.0.0.2' && port === hidden.port,
      },
    })
    const command = `curl -sS http://rebinding.test:${hidden.port}/`
    const { output } = await rebound.run(`${command}; ${command}; ${command}; ${command}`, access)
    expect(output).toMatch(/^hello\nOnly public addresses.+\nhello\nThe host name does not resolve\n$/)
    expect(allowed.requests).toHaveLength(2)
    expect(hidden.requests).toEqual([])
    await rebound.close()
    await allowed.close()
  })

  it('cannot open more connections than its share', async () => {
    const limitedFixture = await openNetworkFixture('bubblewrap', { reach: 'public', limits: { connections: 2 } })
    const { output } = await limitedFixture.run(
      `exec 3<>/dev/tcp/127.0.0.1/61080 4<>/dev/tcp/127.0.0.1/61080; printf G >&3; printf G >&4; sleep 1
       curl -s -m 10 ${platform.origin}/base/full; echo "$?"; exec 3<&- 4<&-; sleep 1; curl -s -m 10 ${platform.origin}/base/free`,
      access,
    )
    expect(output).toMatch(/^(52|56)\nhello\n$/)
    await limitedFixture.close()
  })

  it('cannot transfer more bytes than its share', async () => {
    const large = await startRecorder((_, response) => void response.end(Buffer.alloc(5_000_000)))
    const slow = await openNetworkFixture('bubblewrap', { reach: 'public', limits: { bytesPerMinute: 1_000_000 } })
    const { output } = await slow.run(
      `curl -sS -m 5 ${large.origin}/ | wc -c`,
      createPlatformAccess(large.origin, large),
    )
    const bytes = Number(/\d+\n$/.exec(output)?.[0])
    expect(bytes).toBeGreaterThan(500_000)
    expect(bytes).toBeLessThan(2_000_000)
    await slow.close()
    await large.close()
  })

  it('receives an error response if a server sends invalid HTTP', async () => {
    const malformedResponses = [
      'HTTP/1.1 000 None\r\n\r\n',
      'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'x',
      '',
    ]
    const malformedServer = createServer(
      (socket) =>
        void socket
          .on('error', () => {})
          .resume()
          .end(malformedResponses.shift() ?? ''),
    )
    await new Promise<void>((resolve) => malformedServer.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(malformedServer.address() as AddressInfo).port}`
    const serverAccess = { services: [{ address: origin, headers: () => Promise.resolve({}) }] }
    const command = `curl -s -m 10 -o /dev/null -w '%{http_code} ' ${origin}/`
    expect((await fixture.run(`${command}; ${command}; ${command}; ${command}`, serverAccess)).output).toBe(
      '502 502 502 502 ',
    )
    await new Promise((resolve) => malformedServer.close(resolve))
  })

  it('cannot access sockets of other sandboxes and leaves no socket behind', async () => {
    const other = await fixture.port.create({ name: 'other', timeoutMs: 60_000, gitIdentity })
    const abstract = createServer((socket) => socket.end('abstract'))
    await new Promise<void>((resolve) => abstract.listen('\0backline-escape-test', resolve))
    const execution = other.exec('sleep 3', { ...limits, network: access })
    const { output } = await fixture.run(
      `find / -type s 2>/dev/null; ls -ld /run/network/proxy; rm -f /run/network/proxy; touch /run/network/x
       perl -e 'socket(my $s, 1, 1, 0); print connect($s, pack("S a*", 1, "\\0backline-escape-test")) ? "abstract" : "none"'`,
      access,
    )
    expect(output).not.toContain('abstract')
    expect(output.match(/^(s|\/).*$/gm)).toHaveLength(1)
    expect(output).toContain('Read-only file system')
    await execution
    abstract.close()
    for (const name of ['bench', 'other'])
      expect(await readdir(join(fixture.root, name, 'network')).catch(() => [])).toEqual([])
    await other.destroy()
  })

  it('cannot use the network after its command has ended', async () => {
    const slow = createServer((socket) => void socket.resume())
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const connectionEnd = new Promise<void>((resolve) => slow.on('connection', (socket) => socket.on('close', resolve)))
    const origin = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
    const slowAccess = { services: [{ address: origin, headers: () => Promise.resolve({}) }] }
    await fixture.run(`(curl -s ${origin}/hang &) ; sleep 1`, slowAccess)
    await connectionEnd
    await new Promise((resolve) => slow.close(resolve))
  })
})
