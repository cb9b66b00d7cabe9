import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../../db/postgres/client.ts'
import type { LocalFile, Secrets } from '../../dev/stack/data-dir.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { postgresUrls } from '../../dev/stack/postgres/server.ts'
import { readCommandLine, readProcessMark, waitFor } from '../../dev/processes/processes.ts'
import { loopback } from '../world/loopback.ts'
import { createIsolatedStack, waitForExit, type IsolatedStack } from '../world/stack.ts'

let stack: IsolatedStack
const running = () => stack.ensureRunning()

/** Runs a second start with the same settings and waits for its end. */
const startAgain = (changes: NodeJS.ProcessEnv) => {
  const { status, stderr } = spawnSync(process.execPath, ['dev/bootstrap.mjs', 'start'], {
    env: { ...stack.environment, ...changes },
    encoding: 'utf8',
  })
  return { status, sentence: stderr.trim() }
}

const isRunning = (pid: number | null): boolean => pid !== null && readProcessMark(pid) !== undefined
const listRunning = ({ pids }: LocalFile): string[] =>
  Object.values(pids)
    .filter(isRunning)
    .map((pid) => readCommandLine(pid ?? 0))

const readStatus = (pid: number | null): Promise<string> => readFile(`/proc/${pid}/status`, 'utf8')
const readUid = (status = ''): number => Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])

const listSessions = async ({ baseUrl, apiKey }: LocalFile): Promise<{ sessions: { id: string }[] }> => {
  const response = await fetch(`${baseUrl}/api/sessions`, { headers: { 'x-api-key': apiKey ?? '' } })
  expect(response.status).toBe(200)
  return (await response.json()) as { sessions: { id: string }[] }
}

beforeAll(async () => {
  stack = await createIsolatedStack()
})
afterAll(() => stack.close())

it('npm start writes a private local.json with a valid API key', async () => {
  const { local } = await running()
  expect(((await stat(join(stack.dataDir, 'local.json'))).mode & 0o777).toString(8)).toBe('600')
  expect(local.referenceUrl).toBe(`${local.baseUrl}/reference`)
  expect(await (await fetch(`${local.siteUrl}/docs/quickstart`)).text()).toContain('<title>Quickstart')
  for (const url of [local.checkoutUrl, local.inboxUrl, local.temporalUiUrl, local.metricsUrls.api])
    expect((await fetch(url ?? '')).status).toBe(200)
  for (const url of [local.baseUrl, local.temporalUiUrl ?? ''])
    for (const host of loopback) {
      const { status } = await fetch(`http://${host}:${new URL(url).port}/`, { redirect: 'manual' })
      expect([url, host, status < 400]).toEqual([url, host, true])
    }
  const issued = await fetch(`${local.baseUrl}/identity/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'a@example.com', development_token: local.developmentToken }),
  })
  expect(issued.status).toBe(200)
  expect(Object.values(local.pids).every(isRunning)).toBe(true)
  expect(Array.isArray((await listSessions(local)).sessions)).toBe(true)
  expect(stack.output()).toContain('Backline is ready')
})

it.runIf(process.getuid?.() === 0)('a start by root runs the API as an unprivileged user', async () => {
  const { local } = await running()
  const { dataDir } = stack
  const status = await readStatus(local.pids.api)
  const uid = readUid(status)
  expect(uid).toBeGreaterThan(0)
  expect(status).toMatch(/^CapBnd:\s+0+$/m)
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
  expect(stack.output()).not.toContain('The API runs as root')
  for (const folder of ['repositories', 'blobs']) expect((await stat(join(dataDir, folder))).uid).toBe(uid)
  // The user may traverse the data folder, but may read only files that it owns.
  expect(((await stat(dataDir)).mode & 0o777).toString(8)).toBe('710')
  const engine = (await readdir(dataDir)).filter((name) => name.startsWith('temporal-'))
  for (const name of engine) expect((await stat(join(dataDir, name))).mode & 0o077, name).toBe(0)
  const reading = { uid, gid: uid, encoding: 'utf8' as const }
  expect(spawnSync('cat', [join(dataDir, 'secrets.json')], reading).status).not.toBe(0)
  expect(spawnSync('ls', [dataDir], reading).status).not.toBe(0)
})

it.runIf(process.getuid?.() === 0)(
  'a start by root runs Postgres as a separate user, and Temporal without privileges',
  async () => {
    const { local } = await running()
    const [api, postgres, temporal] = await Promise.all(
      [local.pids.api, local.pids.postgres, local.pids.temporal].map(readStatus),
    )
    expect(readUid(postgres)).toBeGreaterThan(0)
    expect(readUid(postgres)).not.toBe(readUid(api))
    for (const status of [postgres, temporal]) {
      expect(status).toMatch(/^Cap(Eff|Bnd):\s+0+$/m)
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
    }
    // The superuser of Postgres can neither read nor write files outside the data folder of Postgres.
    const { postgresPassword } = JSON.parse(await readFile(join(stack.dataDir, 'secrets.json'), 'utf8')) as Secrets
    const port = Number(stack.environment['POSTGRES_PORT'])
    const db = connect({ url: postgresUrls({ port, password: postgresPassword }).url, max: 1, name: 'test' })
    try {
      for (const path of [join(stack.dataDir, 'secrets.json'), '/etc/shadow'])
        await expect(db`select pg_read_file(${path})`, path).rejects.toThrow('Permission denied')
      const program = `touch ${join(stack.dataDir, 'planted')}`
      await expect(db.unsafe(`copy (select 1) to program '${program}'`)).rejects.toThrow('failed')
    } finally {
      await db.end()
    }
  },
)

it('only the banner shows secrets, and no server has them in its environment', async () => {
  const { local } = await running()
  const storedSecrets = Object.values(
    JSON.parse(await readFile(join(stack.dataDir, 'secrets.json'), 'utf8')) as Secrets,
  )
  const tokens = [local.consoleUrl, local.checkoutUrl, local.inboxUrl, local.teamChatUrl].flatMap(
    (url) => url?.match(/[A-Za-z0-9_-]{20,}/g) ?? [],
  )
  const secrets = [...storedSecrets, ...tokens, local.apiKey, local.developmentToken].filter(
    (secret) => secret !== null,
  )
  expect(secrets.length).toBeGreaterThan(6)
  const listSecretsIn = (text: string): string[] => secrets.filter((secret) => text.includes(secret))
  const [before = '', rest = ''] = stack.output().split('Backline is ready')
  const [banner = '', after = ''] = rest.split('Press Ctrl-C to stop.')
  expect(listSecretsIn(banner)).toContain(local.apiKey)
  const logs = (await readdir(stack.dataDir)).filter((name) => name.endsWith('.log'))
  const doctor = spawnSync(process.execPath, ['dev/bootstrap.mjs', 'doctor'], {
    env: stack.environment,
    encoding: 'utf8',
  })
  expect(doctor.stdout).toContain('Postgres')
  const outputs = {
    before,
    after,
    doctor: doctor.stdout + doctor.stderr,
    ...Object.fromEntries(
      await Promise.all(logs.map(async (name) => [name, await readFile(join(stack.dataDir, name), 'utf8')])),
    ),
    postgres: await readFile(`/proc/${local.pids.postgres}/environ`, 'utf8'),
    temporal: await readFile(`/proc/${local.pids.temporal}/environ`, 'utf8'),
  } as Record<string, string>
  for (const [place, text] of Object.entries(outputs)) expect([place, listSecretsIn(text)]).toEqual([place, []])
  for (const server of ['postgres', 'temporal']) expect(outputs[server]).not.toContain('DATA_DIR')
})

it('a killed API is restarted, and local.json contains the new process', async () => {
  const { local: before } = await running()
  process.kill(before.pids.api ?? 0, 'SIGKILL')
  await waitFor(() => stack.output().includes('api was restarted.'), 60_000)
  const after = await stack.readLocal()
  expect(after?.pids.api).not.toBe(before.pids.api)
  expect(isRunning(after?.pids.api ?? null)).toBe(true)
  expect(stack.output()).toContain('api died (signal SIGKILL): restarting.')
})

it('a second start with the same folder reports the running process', async () => {
  await running()
  const { status, sentence } = startAgain({})
  expect(status).toBe(1)
  expect(sentence).toMatch(
    /^Backline is already running on .* \(process \d+\): stop it, or give this copy its own DATA_DIR/,
  )
})

it('a port in use is reported with the setting that contains it', async () => {
  const other = await mkdtemp(join(tmpdir(), 'backline-start-'))
  const server = createServer().listen(0, '127.0.0.1')
  await waitFor(() => server.listening, 10_000)
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const free = { PORT: String(await freePort()), POSTGRES_PORT: String(await freePort()) }
  const { status, sentence } = startAgain({ ...free, TEMPORAL_PORT: String(port), DATA_DIR: other })
  server.close()
  await rm(other, { recursive: true })
  expect(status).toBe(1)
  expect(sentence).toBe(
    `Port ${port} is in use by another program: stop that program, or set TEMPORAL_PORT to another port.`,
  )
})

it('an invalid setting is reported in one sentence', () => {
  const { status, sentence } = startAgain({ LOCAL_MODEL_WORDS_PER_SECOND: 'fast' })
  expect(status).toBe(1)
  expect(sentence).toMatch(/^LOCAL_MODEL_WORDS_PER_SECOND: [^\n]*$/)
})

it('a start after all processes were killed has the same key and data', async () => {
  const { child, local: before } = await running()
  const created = await fetch(`${before.baseUrl}/api/sessions`, {
    method: 'POST',
    headers: { 'x-api-key': before.apiKey ?? '', 'content-type': 'application/json' },
    body: '{}',
  })
  expect(created.status).toBe(200)
  const { session } = (await created.json()) as { session: { id: string } }
  for (const pid of [child.pid, ...Object.values(before.pids)]) process.kill(pid ?? 0, 'SIGKILL')
  await waitFor(() => listRunning(before).length === 0, 60_000)
  await waitForExit(child)
  const { local: after } = await running()
  expect(after.apiKey).toBe(before.apiKey)
  expect((await listSessions(after)).sessions.map(({ id }) => id)).toContain(session.id)
})

it('all processes end when only the supervisor is killed', async () => {
  const { child, local: before } = await running()
  child.kill('SIGKILL')
  await waitForExit(child)
  // If the kernel sends no death signal, the next start ends the servers.
  if (process.platform === 'linux') await waitFor(() => listRunning(before).length === 0, 60_000)
  else await running()
  expect(listRunning(before)).toEqual([])
})

it('SIGTERM stops all processes', async () => {
  const { child, local } = await running()
  child.kill('SIGTERM')
  expect(await waitForExit(child)).toBe(0)
  expect(listRunning(local)).toEqual([])
  expect(await stack.readLocal()).toBeUndefined()
})
