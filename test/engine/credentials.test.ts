import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connectClient, engineAddress, findEngineProblem } from '../../engine/connect.ts'
import { watchCredentials } from '../../engine/credentials.ts'
import { loadConfig } from '../../config.ts'
import { makeCertificate } from '../world/certificate.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { startTlsFront } from './tls-front.ts'

type Pair = { key: string; cert: string }

let folder: string
let tlsProxy: Awaited<ReturnType<typeof startTlsFront>>
let world: World
let certificates: Record<'server' | 'first' | 'second', Pair>
let files: Record<'ca' | 'certificate' | 'key' | 'apiKey', string>

const writeCredentials = async ({ cert, key }: Pair, apiKey: string): Promise<void> => {
  await writeFile(files.certificate, cert)
  await writeFile(files.key, key)
  await writeFile(files.apiKey, `${apiKey}\n`)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-tls-'))
  const file = (name: string) => join(folder, name)
  files = { ca: file('ca.pem'), certificate: file('client.pem'), key: file('client.key'), apiKey: file('api-key') }
  certificates = {
    server: await makeCertificate('temporal.internal'),
    first: await makeCertificate('first.client'),
    second: await makeCertificate('second.client'),
  }
  await writeFile(files.ca, certificates.server.cert)
  await writeCredentials(certificates.first, 'first-key')
  tlsProxy = await startTlsFront({
    certificate: certificates.server,
    temporalAddress: inject('temporalAddress'),
    requires: { clientCertificate: certificates.first.cert, apiKey: 'first-key' },
  })
  world = await createWorld({
    temporalAddress: tlsProxy.address,
    settings: {
      TEMPORAL_TLS_CA: files.ca,
      TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
      TEMPORAL_TLS_CERT: files.certificate,
      TEMPORAL_TLS_KEY: files.key,
      TEMPORAL_API_KEY_FILE: files.apiKey,
    },
  })
})
afterAll(async () => {
  await world.close()
  await tlsProxy.close()
  await rm(folder, { recursive: true, force: true })
})

const run = async (key: string): Promise<string> => {
  const { body } = await world.request<{ runId: string }>('POST', '/api/chat/runs', {
    key,
    body: { prompt: '@say hello' },
  })
  return eventually('the end of the run', async () => {
    const { status } = (await world.request<{ status: string }>('GET', `/api/chat/runs/${body.runId}`, { key })).body
    return status === 'queued' || status === 'running' ? undefined : status
  })
}

const readTemporalCheck = async () =>
  (await world.request<{ checks: { temporal: string } }>('GET', '/readyz')).body.checks.temporal

test('the API and workers use mutual TLS and an API key, and replace both without a restart', async () => {
  const { key } = await world.makeAccount()
  expect(await run(key)).toBe('completed')
  expect(tlsProxy.counts.rejections).toBe(0)

  tlsProxy.require({ clientCertificate: certificates.second.cert, apiKey: 'second-key' })
  await eventually('rejected credentials', async () => ((await readTemporalCheck()) === 'failed' ? true : undefined))
  await writeCredentials(certificates.second, 'first-key')
  const outsider = await connectClient(engineAddress(world.config, tlsProxy.address))
  expect(await findEngineProblem(outsider.client)).toBe('Temporal rejects the credentials')
  await outsider.close()
  await writeCredentials(certificates.second, 'second-key')
  await eventually('accepted credentials', async () => ((await readTemporalCheck()) === 'ok' ? true : undefined))
  expect(await run(key)).toBe('completed')
})

test('a server certificate with another name or authority is rejected', async () => {
  for (const changed of [{ serverName: 'another.internal' }, { caPath: files.certificate }]) {
    const engine = await connectClient({
      address: tlsProxy.address,
      namespace: 'default',
      tls: true,
      serverName: 'temporal.internal',
      caPath: files.ca,
      certificatePath: files.certificate,
      keyPath: files.key,
      apiKeyPath: files.apiKey,
      ...changed,
    })
    const call = engine.connection.withDeadline(Date.now() + 1000, () =>
      engine.connection.workflowService.describeNamespace({ namespace: 'default' }),
    )
    await expect(call).rejects.toThrow()
    await engine.close()
  }
})

test('a new certificate is used only after it matches its key, and a missing file is reported with its setting', async () => {
  const errors: string[] = []
  const sources = { certificatePath: files.certificate, keyPath: files.key }
  const watch = await watchCredentials(sources, (error) => errors.push(String(error)))
  const applied: string[] = []
  watch.onChange(({ identity }) => void applied.push(identity?.certificate.toString() ?? ''))
  await writeFile(files.certificate, certificates.first.cert)
  await eventually('an error', async () => (errors.length > 0 ? true : undefined))
  expect(applied).toEqual([])
  await writeFile(files.key, certificates.first.key)
  await eventually('the new pair', async () => (applied.length > 0 ? true : undefined))
  expect(applied).toEqual([certificates.first.cert])
  expect(errors).toEqual([expect.stringMatching(/TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY cannot be used together: /)])
  watch.close()
  await expect(watchCredentials({ caPath: join(folder, 'none.pem') }, () => {})).rejects.toThrow(
    `The file of TEMPORAL_TLS_CA cannot be read: ${join(folder, 'none.pem')} (ENOENT).`,
  )
})

test('a setting without the other settings that it requires is rejected', () => {
  expect(() => loadConfig({ TEMPORAL_TLS_CERT: 'a' })).toThrow(
    'TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY must be set together.',
  )
  expect(() => loadConfig({ TEMPORAL_API_KEY: 'a', TEMPORAL_API_KEY_FILE: 'b' })).toThrow(
    'Set only one of TEMPORAL_API_KEY and TEMPORAL_API_KEY_FILE.',
  )
})
