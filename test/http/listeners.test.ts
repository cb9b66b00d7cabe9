import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createListeners } from '../../api/http/listeners.ts'
import { loadConfig } from '../../config.ts'
import { loopback } from '../world/loopback.ts'

/** Starts a server at these addresses until the test ends. Returns the port and the skipped addresses. */
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

const readResponse = (host: string, port: number): Promise<string> =>
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
])('the API with %o listens on %o', (settings, hosts) => {
  expect(loadConfig(settings).listenHosts).toEqual(hosts)
})

test('a server with the default settings responds at every loopback address and at localhost', async () => {
  const { port } = await listen(loadConfig({}).listenHosts)
  for (const host of [...loopback, 'localhost'])
    expect([host, await readResponse(host, port)]).toEqual([host, 'answered'])
})

test.runIf(loopback.includes('[::1]'))('a server with one address does not respond at other addresses', async () => {
  const { port } = await listen(['127.0.0.1'])
  expect([await readResponse('127.0.0.1', port), await readResponse('[::1]', port)]).toEqual(['answered', 'refused'])
})

test('an address that the machine does not have is skipped, unless it is the first address', async () => {
  const { port, skipped } = await listen(['127.0.0.1', '2001:db8::1'])
  expect([await readResponse('127.0.0.1', port), skipped]).toEqual(['answered', ['2001:db8::1 EADDRNOTAVAIL']])
  await expect(listen(['2001:db8::1', '127.0.0.1'])).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
})

test('a port that is used at a later address causes an error and releases the first address', async () => {
  const { port } = await listen(['127.0.0.2'])
  await expect(listen(['127.0.0.1', '127.0.0.2'], port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(await readResponse('127.0.0.1', port)).toBe('refused')
})
