import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate } from '../../../world/certificate.ts'
import { openNetworkFixture, type NetworkFixture } from './fixture.ts'
import { localDrivers } from '../contract.ts'

const certificate = await makeCertificate('platform.test')
const hasBubblewrap = (await localDrivers()).some(({ name, available }) => name === 'bubblewrap' && available)

const createAccess = (address: string) => ({
  services: [{ address, headers: () => Promise.resolve({ 'x-api-key': 'the key' }) }],
})

describe.skipIf(!hasBubblewrap)('TLS from a sandbox', () => {
  let fixture: NetworkFixture
  let server: Server
  let requestedUrls: (string | undefined)[]
  let port: number
  beforeAll(async () => {
    requestedUrls = []
    server = createServer(certificate, ({ url, headers }, response) => {
      requestedUrls.push(url)
      response.end(`${url} ${String(headers['x-api-key'])}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
    const internet = { resolve: () => Promise.resolve(['127.0.0.1']), allows: () => true }
    fixture = await openNetworkFixture('bubblewrap', { reach: 'public', internet })
  })
  afterAll(async () => {
    await fixture.close()
    await new Promise((resolve) => server.close(resolve))
  })

  it('passes the proxy unchanged in a tunnel to another host', async () => {
    const { output } = await fixture.run(
      `curl -sSk https://public.test:${port}/own`,
      createAccess('http://platform.test'),
    )
    expect(output).toBe('/own undefined')
  })

  it('carries no key to a platform whose certificate is not valid', async () => {
    requestedUrls.length = 0
    const { output } = await fixture.run(
      'curl -sS $PLATFORM_API_URL/api/me',
      createAccess(`https://localhost:${port}`),
      {
        PLATFORM_API_URL: `https://localhost:${port}`,
      },
    )
    expect(output).toBe('The server has no valid certificate\n')
    expect(requestedUrls).toEqual([])
  })
})
