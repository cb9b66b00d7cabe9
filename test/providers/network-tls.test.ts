import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene } from './network-scene.ts'
import type { Scene } from './network-scene.ts'
import { localDrivers } from './sandbox-contract.ts'

/** A certificate that nobody vouches for; undefined where there is no program to make one. */
const makeCertificate = (): { key: Buffer; cert: Buffer } | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'backline-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  try {
    execFileSync('openssl', [...kind, '-subj', '/CN=platform.test', '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const certificate = makeCertificate()
const hasBubblewrap = (await localDrivers()).some(({ name, available }) => name === 'bubblewrap' && available)

const access = (address: string) => ({
  services: [{ address, headers: () => Promise.resolve({ 'x-api-key': 'the key' }) }],
})

describe.skipIf(certificate === undefined || !hasBubblewrap)('TLS from a sandbox', () => {
  let scene: Scene
  let server: Server
  let asked: (string | undefined)[]
  let port: number
  beforeAll(async () => {
    asked = []
    server = createServer(certificate ?? {}, ({ url, headers }, response) => {
      asked.push(url)
      response.end(`${url} ${String(headers['x-api-key'])}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
    const internet = { resolve: () => Promise.resolve(['127.0.0.1']), allows: () => true }
    scene = await openScene('bubblewrap', { reach: 'public', internet })
  })
  afterAll(async () => {
    await scene.close()
    await new Promise((resolve) => server.close(resolve))
  })

  it('passes a tunnel whole, and nothing is added to it', async () => {
    const { output } = await scene.run(`curl -sSk https://public.test:${port}/own`, access('http://platform.test'))
    expect(output).toBe('/own undefined')
  })

  it('shows no key to a platform whose certificate is not valid', async () => {
    asked.length = 0
    const { output } = await scene.run('curl -sS $PLATFORM_API_URL/api/me', access(`https://localhost:${port}`), {
      PLATFORM_API_URL: `https://localhost:${port}`,
    })
    expect(output).toBe('The other side has no valid certificate\n')
    expect(asked).toEqual([])
  })
})
