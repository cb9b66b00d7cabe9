import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createListeners } from '../../api/http/listeners.ts'
import { loadConfig } from '../../config.ts'
import { loopback } from '../world/loopback.ts'

/** Responds to every request at the addresses until the test ends; returns the port and the skipped addresses. */
const listen = async (hosts: readonly [string, ...string[]], port = 0) => {
  const skipped: string[] = []
  const server = createServer((_, response) => response.end('answered'))
  const listeners = createListeners(server, { hosts, onSkip: (host, code) => skipped.push(`${host} ${code}`) })
  onTestFinished(async () => {
    const closed = listeners.close()
    server.closeAllConnections()
    await closed
  })
  return { port: await listeners.listen(port), skipped }
}

const reach = (host: string, port: number): Promise<string> =>
  fetch(`http://${host}:${port}`).then(
    (response) => response.text(),
    () => 'refused',
  )

test.each([
  [{}, ['127.0.0.1', '::1']],
  [{ HOST: '' }, ['127.0.0.1', '::1']],
  [{ HOST: '127.0.0.1' }, ['127.0.0.1']],
  [{ HOST: '0.0.0.0' }, ['0.0.0.0']],
  [{ HOST: '::' }, ['::']],
])('with %o the API listens on %o', (settings, hosts) => {
  expect(loadConfig(settings).listenHosts).toEqual(hosts)
})

test('one server responds at every loopback address and under localhost', async () => {
  const { port } = await listen(loadConfig({}).listenHosts)
  for (const host of [...loopback, 'localhost']) expect([host, await reach(host, port)]).toEqual([host, 'answered'])
})

test.runIf(loopback.includes('[::1]'))('a server of one address responds at no other', async () => {
  const { port } = await listen(['127.0.0.1'])
  expect([await reach('127.0.0.1', port), await reach('[::1]', port)]).toEqual(['answered', 'refused'])
})

test('an address that the machine lacks is skipped, unless it is the first', async () => {
  const { port, skipped } = await listen(['127.0.0.1', '2001:db8::1'])
  expect([await reach('127.0.0.1', port), skipped]).toEqual(['answered', ['2001:db8::1 EADDRNOTAVAIL']])
  await expect(listen(['2001:db8::1', '127.0.0.1'])).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
})

test('a port that is taken at a later address is an error, and the first address is free again', async () => {
  const { port } = await listen(['127.0.0.2'])
  await expect(listen(['127.0.0.1', '127.0.0.2'], port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(await reach('127.0.0.1', port)).toBe('refused')
})
