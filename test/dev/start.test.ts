import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { LocalFile } from '../../dev/data-dir.ts'
import { freePort } from '../../dev/ports.ts'
import { commandLine, markProcess, waitFor } from '../../dev/processes.ts'
import { stackEnvironment } from '../stack.ts'

vi.setConfig({ testTimeout: 120_000 })

let dataDir: string
let environment: NodeJS.ProcessEnv
let supervisor: ChildProcess | undefined
let output = ''

const localFile = (): string => join(dataDir, 'local.json')
const readLocal = async (): Promise<LocalFile | undefined> => {
  const text = await readFile(localFile(), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as LocalFile)
}

const start = async (): Promise<LocalFile> => {
  output = ''
  const child = spawn(process.execPath, ['dev/bootstrap.mjs', 'start'], { env: environment, stdio: 'pipe' })
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  supervisor = child
  const local = await waitFor(async () => (child.exitCode === null ? await readLocal() : 'ended'), 55_000)
  if (local === undefined || local === 'ended') throw new Error(`npm start did not become ready:\n${output}`)
  return local
}

/** What runs, started when nothing does: each test stands on its own. */
const running = async (): Promise<{ child: ChildProcess; local: LocalFile }> => {
  const local = supervisor?.exitCode === null && supervisor.signalCode === null ? await readLocal() : undefined
  if (supervisor && local) return { child: supervisor, local }
  await rm(localFile(), { force: true })
  const started = await start()
  if (!supervisor) throw new Error('npm start has no process')
  return { child: supervisor, local: started }
}

/** A second command on the same settings, to its end. */
const runAgain = (changes: NodeJS.ProcessEnv) => {
  const { status, stderr } = spawnSync(process.execPath, ['dev/bootstrap.mjs', 'start'], {
    env: { ...environment, ...changes },
    encoding: 'utf8',
  })
  return { status, sentence: stderr.trim() }
}

const exitOf = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', (code) => resolve(code)))

const isRunning = (pid: number | null): boolean => pid !== null && markProcess(pid) !== undefined
const runningOf = ({ pids }: LocalFile): string[] =>
  Object.values(pids)
    .filter(isRunning)
    .map((pid) => commandLine(pid ?? 0))

const listSessions = async ({ baseUrl, apiKey }: LocalFile): Promise<{ sessions: { id: string }[] }> => {
  const response = await fetch(`${baseUrl}/api/sessions`, { headers: { 'x-api-key': apiKey ?? '' } })
  expect(response.status).toBe(200)
  return (await response.json()) as { sessions: { id: string }[] }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'backline-start-'))
  environment = await stackEnvironment(dataDir)
})

afterAll(async () => {
  if (supervisor) {
    supervisor.kill('SIGTERM')
    await exitOf(supervisor)
  }
  await rm(dataDir, { recursive: true, force: true })
})

it('npm start makes a private local.json whose key opens the API', async () => {
  const { local } = await running()
  expect(((await stat(localFile())).mode & 0o777).toString(8)).toBe('600')
  expect(local.docsUrl).toBe(`${local.baseUrl}/docs`)
  expect(Object.values(local.pids).every(isRunning)).toBe(true)
  expect(Array.isArray((await listSessions(local)).sessions)).toBe(true)
  expect(output).toContain('Backline is ready')
})

it('a killed API is replaced and local.json names the new one', async () => {
  const { local: before } = await running()
  process.kill(before.pids.api ?? 0, 'SIGKILL')
  await waitFor(() => output.includes('api is back.'), 20_000)
  const after = await readLocal()
  expect(after?.pids.api).not.toBe(before.pids.api)
  expect(isRunning(after?.pids.api ?? null)).toBe(true)
  expect(output).toContain('api died (signal SIGKILL): starting it again.')
})

it('a second start on the same folder says that one runs', async () => {
  await running()
  const { status, sentence } = runAgain({})
  expect(status).toBe(1)
  expect(sentence).toMatch(/^Backline already runs on .* \(process \d+\): stop it, or give this copy its own DATA_DIR/)
})

it('a taken port is named together with its setting', async () => {
  const other = await mkdtemp(join(tmpdir(), 'backline-start-'))
  const server = createServer().listen(0, '127.0.0.1')
  await waitFor(() => server.listening, 1000)
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const free = { PORT: String(await freePort()), POSTGRES_PORT: String(await freePort()) }
  const { status, sentence } = runAgain({ ...free, TEMPORAL_PORT: String(port), DATA_DIR: other })
  server.close()
  await rm(other, { recursive: true })
  expect(status).toBe(1)
  expect(sentence).toBe(`Port ${port} is taken by another program: free it, or set TEMPORAL_PORT to another port.`)
})

it('a wrong setting is one sentence', () => {
  const { status, sentence } = runAgain({ LOCAL_MODEL_WORDS_PER_SECOND: 'fast' })
  expect(status).toBe(1)
  expect(sentence).toMatch(/^LOCAL_MODEL_WORDS_PER_SECOND: [^\n]*$/)
})

it('after every process was killed the next start has the same key and data', async () => {
  const { child, local: before } = await running()
  const made = await fetch(`${before.baseUrl}/api/sessions`, {
    method: 'POST',
    headers: { 'x-api-key': before.apiKey ?? '', 'content-type': 'application/json' },
    body: '{}',
  })
  expect(made.status).toBe(200)
  const { session } = (await made.json()) as { session: { id: string } }
  for (const pid of [child.pid, ...Object.values(before.pids)]) process.kill(pid ?? 0, 'SIGKILL')
  await waitFor(() => runningOf(before).length === 0, 10_000)
  await exitOf(child)
  const { local: after } = await running()
  expect(after.apiKey).toBe(before.apiKey)
  expect((await listSessions(after)).sessions.map(({ id }) => id)).toContain(session.id)
})

it('when the supervisor alone is killed its parts end too', async () => {
  const { child, local: before } = await running()
  child.kill('SIGKILL')
  await exitOf(child)
  // Where the kernel sends no death signal the next start ends the servers.
  if (process.platform === 'linux') await waitFor(() => runningOf(before).length === 0, 30_000)
  else await running()
  expect(runningOf(before)).toEqual([])
})

it('SIGTERM stops everything and leaves no process', async () => {
  const { child, local } = await running()
  child.kill('SIGTERM')
  expect(await exitOf(child)).toBe(0)
  expect(runningOf(local)).toEqual([])
  expect(await readLocal()).toBeUndefined()
})
