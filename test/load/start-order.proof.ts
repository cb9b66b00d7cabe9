import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { ensurePerson } from '../../db/accounts/people.ts'
import { connect } from '../../db/postgres/client.ts'
import { hashKey, insertKey, newRawKey } from '../../db/accounts/keys.ts'
import { migrate } from '../../db/migrate.ts'
import { ensurePartitions } from '../../db/log/partitions.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { startPostgres } from '../../dev/stack/postgres/server.ts'
import { ensureCli } from '../../dev/stack/temporal/cli.ts'
import { startTemporal } from '../../dev/stack/temporal/server.ts'
import { isFullScale } from '../cost/scale.ts'
import { eventually } from '../world/world.ts'

const timeoutMs = 60_000
const serverSecret = 'a secret of the tests that is long enough'
const key = newRawKey()

type PartName = 'postgres' | 'temporal' | 'worker' | 'api'
type RunningPart = { output(): string; isAlive(): boolean; stop(): Promise<void> }

let folder: string
let ports: Record<'postgres' | 'temporal' | 'api' | 'apiMetrics' | 'workerMetrics', number>
let databaseUrl: string
let taskQueue = 'agent'
let cli: string

const startDatabase = () =>
  startPostgres({
    dataDir: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    port: ports.postgres,
    password: 'test',
    durable: false,
  })

const startEngine = () =>
  startTemporal({
    cli,
    dataDir: folder,
    logFile: join(folder, 'temporal.log'),
    port: ports.temporal,
    namespace: 'default',
    durable: false,
  })

/** Creates the schema and an account with an API key. */
const prepareDatabase = async (url: string): Promise<void> => {
  const db = connect({ url, max: 2, name: 'test' })
  await migrate(db)
  await ensurePartitions(db)
  const { accountId } = await ensurePerson(db, 'start@example.com', 1_000_000)
  await insertKey(db, { accountId, name: 'test', keyHash: hashKey(serverSecret, key) })
  await db.end()
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-order-'))
  ports = {
    postgres: await freePort(),
    temporal: await freePort(),
    api: await freePort(),
    apiMetrics: await freePort(),
    workerMetrics: await freePort(),
  }
  cli = await ensureCli(process.env['TEMPORAL_CLI'], () => {})
  const postgres = await startDatabase()
  databaseUrl = postgres.url
  await prepareDatabase(databaseUrl)
  await postgres.stop()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const startNode = (entry: string, metricsPort: number): RunningPart => {
  const child = spawn(process.execPath, [entry], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}`,
      SERVER_SECRET: serverSecret,
      TASK_QUEUE: taskQueue,
      WORKFLOW_BUNDLE: inject('built').workflowBundle,
      DATA_DIR: join(folder, 'data'),
      PORT: String(ports.api),
      METRICS_PORT: String(metricsPort),
      LOCAL_MODEL_WORDS_PER_SECOND: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const exited = once(child, 'exit')
  return {
    output: () => output,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const startServer = async (start: () => Promise<{ stop(): Promise<void> }>): Promise<RunningPart> => {
  const server = await start()
  return { output: () => '', isAlive: () => true, stop: () => server.stop() }
}

const starts: Record<PartName, () => Promise<RunningPart>> = {
  postgres: () => startServer(startDatabase),
  temporal: () => startServer(startEngine),
  worker: async () => startNode(inject('built').worker, ports.workerMetrics),
  api: async () => startNode(inject('built').server, ports.apiMetrics),
}

const sendRequest = async (method: string, path: string, body?: object) => {
  const response = await fetch(`http://127.0.0.1:${ports.api}${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, string> }
}

const waitingLines = {
  postgres: 'waiting: Postgres does not respond yet',
  temporal: 'waiting: Temporal does not respond yet',
}
const countOccurrences = (text: string, part: string): number => text.split(part).length - 1

const waitForLog = (name: PartName, part: RunningPart, text: string) =>
  eventually(
    `${name} reports ${text}`,
    async () => {
      expect(part.isAlive(), part.output()).toBe(true)
      return part.output().includes(text) || undefined
    },
    timeoutMs,
  )

const startRun = () => sendRequest('POST', '/api/chat/runs', { prompt: '@say hello' })

const untilEnded = (runId: string) =>
  eventually(
    'the end of the run',
    async () => {
      const { status } = (await sendRequest('GET', `/api/chat/runs/${runId}`)).body
      return status === 'queued' || status === 'running' ? undefined : status
    },
    timeoutMs,
  )

const untilServing = () =>
  eventually(
    'an API that accepts requests',
    async () =>
      (await sendRequest('GET', '/api/accounts/id').catch(() => undefined))?.status === 200 ? true : undefined,
    timeoutMs,
  )

/** Expects the API to reject requests while Postgres is unavailable. */
const checkRefusals = async (): Promise<void> => {
  await eventually('an API that listens', () => sendRequest('GET', '/healthz').catch(() => undefined), timeoutMs)
  const refused = await startRun()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(refused.body).toEqual({ status: 'error', error: 'Service temporarily unavailable' })
  expect((await sendRequest('GET', '/readyz')).status).toBe(503)
}

const permutations = (names: PartName[]): PartName[][] =>
  names.length <= 1
    ? [names]
    : names.flatMap((first) => permutations(names.filter((name) => name !== first)).map((rest) => [first, ...rest]))

const orders: PartName[][] = isFullScale
  ? permutations(['postgres', 'temporal', 'worker', 'api'])
  : [
      ['api', 'worker', 'temporal', 'postgres'],
      ['worker', 'api', 'postgres', 'temporal'],
      ['temporal', 'worker', 'postgres', 'api'],
    ]

test.each(orders.map((order) => [order.join(', '), order] as const))(
  'parts started in the order %s wait for each other with one log line, and then work',
  async (_, order) => {
    const running = new Map<PartName, RunningPart>()
    onTestFinished(async () => {
      for (const part of [...running.values()].reverse()) await part.stop()
    })
    const accepted: string[] = []
    for (const name of order) {
      const part = await starts[name]()
      running.set(name, part)
      if (name === 'worker')
        for (const server of ['postgres', 'temporal'] as const)
          if (!running.has(server)) await waitForLog(name, part, waitingLines[server])
      if (name === 'api' && !running.has('postgres')) await waitForLog(name, part, waitingLines.postgres)
      if (running.has('api') && !running.has('postgres')) await checkRefusals()
      if (running.has('api') && running.has('postgres')) {
        await untilServing()
        const run = await startRun()
        expect(run.status).toBe(202)
        accepted.push(run.body['runId'] ?? '')
      }
    }
    for (const runId of accepted) expect(await untilEnded(runId)).toBe('completed')
    await eventually(
      'an API that is ready',
      async () => (await sendRequest('GET', '/readyz')).status === 200 || undefined,
    )
    for (const [port, name] of [
      [ports.workerMetrics, 'temporal_worker_task_slots_used'],
      [ports.apiMetrics, 'backline_requests'],
    ] as const)
      expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain(name)
    for (const name of ['worker', 'api'] as const) {
      const output = running.get(name)?.output() ?? ''
      expect(running.get(name)?.isAlive(), output).toBe(true)
      for (const text of Object.values(waitingLines))
        expect(countOccurrences(output, text), output).toBeLessThanOrEqual(1)
    }
  },
)

test('parts wait for a missing database and for a database without its schema', async () => {
  const running: { stop(): Promise<void> }[] = [await startDatabase(), await startEngine()]
  onTestFinished(async () => {
    for (const part of running.reverse()) await part.stop()
  })
  const url = new URL(databaseUrl)
  url.pathname = 'later'
  const fullDatabaseUrl = databaseUrl
  databaseUrl = url.href
  // The deployment with the other database uses the default task queue.
  taskQueue = 'later'
  const parts = { worker: await starts.worker(), api: await starts.api() }
  running.push(parts.worker, parts.api)
  for (const [name, part] of Object.entries(parts))
    await waitForLog(name as PartName, part, 'the database does not exist yet')
  const db = connect({ url: fullDatabaseUrl, max: 1, name: 'test' })
  await db`create database later`
  await db.end()
  for (const [name, part] of Object.entries(parts)) await waitForLog(name as PartName, part, 'run `npm run migrate`')
  await checkRefusals()
  await prepareDatabase(databaseUrl)
  databaseUrl = fullDatabaseUrl
  taskQueue = 'agent'
  await untilServing()
  const run = await startRun()
  expect(await untilEnded(run.body['runId'] ?? '')).toBe('completed')
})
