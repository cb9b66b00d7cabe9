import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect as connectTcp, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { connect, type Pool } from '../../../db/postgres/client.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { startProxy, type FaultProxy } from '../../crash/cluster/proxy.ts'
import { expectSeparateRows } from './lost/lost.ts'
import { offerTls } from './tls-server.ts'

let plain: Pool
let proxy: FaultProxy
let tlsOffer: Awaited<ReturnType<typeof offerTls>>
beforeAll(async () => {
  plain = connect({ url: inject('postgresUrl'), max: 1 })
  tlsOffer = await offerTls(plain)
  const { hostname, port } = new URL(inject('postgresUrl'))
  proxy = await startProxy({ hosts: [hostname], port: Number(port) })
})
afterAll(async () => {
  await proxy.close()
  await tlsOffer.withdraw()
  await plain.end()
})

const buildUrl = (port: number, mode: string): string => {
  const url = new URL(inject('postgresUrl'))
  url.host = `127.0.0.1:${port}`
  url.searchParams.set('sslmode', mode)
  return url.href
}

const openPool = (url: string, silenceTimeoutMs = 60_000): Pool => {
  const pool = connect({ url, max: 1, silenceTimeoutMs })
  onTestFinished(() => pool.end({ timeout: 1 }))
  return pool
}

const isEncrypted = async (pool: Pool): Promise<unknown> =>
  (await pool`select ssl from pg_stat_ssl where pid = pg_backend_pid()`)[0]?.['ssl']

const startTcpServer = async (serve: (socket: Socket) => void): Promise<number> => {
  const server: Server = createServer(serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test.each(['require', 'prefer', 'allow'])('sslmode=%s encrypts queries and transactions', async (mode) => {
  const pool = openPool(buildUrl(proxy.port, mode))
  expect(await isEncrypted(pool)).toBe(true)
  expect(await pool.begin((tx) => tx`select ssl from pg_stat_ssl where pid = pg_backend_pid()`)).toMatchObject([
    { ssl: true },
  ])
})

test('sslmode=disable encrypts nothing', async () => {
  expect(await isEncrypted(openPool(buildUrl(proxy.port, 'disable')))).toBe(false)
})

test('sslmode=verify-full rejects a certificate without a trusted issuer each time', async () => {
  const pool = openPool(buildUrl(proxy.port, 'verify-full'))
  for (const _ of [1, 2, 3]) await expect(isEncrypted(pool)).rejects.toThrow(/self-signed certificate/)
})

test('sslmode=verify-full accepts a certificate of the host from a trusted issuer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backline-tls-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'ca.pem'), tlsOffer.cert)
  const query = async (url: string): Promise<string> => {
    const code = `import { connect } from './db/postgres/client.ts'
      const pool = connect({ url: ${JSON.stringify(url)}, max: 1 })
      console.log(await pool\`select 1\`.then(() => 'taken', (error) => error.message))
      await pool.end()`
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }
    const args = ['--import', 'tsx', '--input-type=module', '-e', code]
    return (await promisify(execFile)(process.execPath, args, { env })).stdout.trim()
  }
  const url = buildUrl(proxy.port, 'verify-full')
  expect(await query(url)).toBe('taken')
  expect(await query(url.replace('127.0.0.1', 'localhost'))).toMatch(/does not match certificate's altnames/)
})

test('a server without TLS is rejected with a clear error by require and accepted by prefer', async () => {
  const { hostname, port } = new URL(inject('postgresUrl'))
  const plainPort = await startTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('N')
      socket.pipe(connectTcp(Number(port), hostname)).pipe(socket)
    })
  })
  const strict = openPool(buildUrl(plainPort, 'require'))
  for (const _ of [1, 2]) await expect(isEncrypted(strict)).rejects.toThrow(/does not support TLS/)
  expect(await isEncrypted(openPool(buildUrl(plainPort, 'prefer')))).toBe(false)
})

test('a server that closes the connection without a response, or is not Postgres, causes a connection error', async () => {
  const closingPort = await startTcpServer((socket) => socket.once('data', () => socket.end()))
  const pool = openPool(buildUrl(closingPort, 'require'))
  for (const _ of [1, 2, 3]) await expect(isEncrypted(pool)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  const other = openPool(
    buildUrl(await startTcpServer((socket) => socket.once('data', () => socket.write('HTTP/1.1'))), 'prefer'),
  )
  await expect(isEncrypted(other)).rejects.toThrow(/did not understand the TLS request/)
})

test('a port without a listener causes a connection error', async () => {
  const pool = openPool(buildUrl(await freePort(), 'require'))
  for (const _ of [1, 2]) await expect(isEncrypted(pool)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test.each([1, 2, 3])('queries directly after a lost query receive their own rows (round %i)', async () => {
  await expectSeparateRows(openPool(buildUrl(proxy.port, 'require')), () => proxy.cut())
})

test('a query on a silent connection fails, and the next query returns its rows', async () => {
  const pool = openPool(buildUrl(proxy.port, 'require'), 1000)
  expect(await isEncrypted(pool)).toBe(true)
  proxy.stall()
  await expect(isEncrypted(pool)).rejects.toThrow('CONNECTION_CLOSED')
  proxy.heal()
  expect(await isEncrypted(pool)).toBe(true)
})
