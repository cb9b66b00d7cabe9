import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@temporalio/client'
import { pino, type DestinationStream } from 'pino'
import { inject } from 'vitest'
import type { ApiDeps } from '../../api/app.ts'
import type { Route } from '../../api/http/route.ts'
import { startApi } from '../../api/start.ts'
import { loadConfig, type Config } from '../../config.ts'
import { connect, type Pool } from '../../db/postgres/client.ts'
import { insertMember, insertOrganization } from '../../db/organizations/organizations.ts'
import type { Engine } from '../../engine/client.ts'
import { connectClient } from '../../engine/connect.ts'
import type { ProbeDisk } from '../../providers/disk-space.ts'
import type { PaymentPort } from '../../providers/payment/index.ts'
import { startWorker } from '../../workers/run.ts'
import { installTestRuntime } from './test-runtime.ts'
import { watchSandbox } from '../../workflows/sandboxes/messages.ts'
import { codeHostOfRun, startObjectStore } from './repositories/code-host.ts'
import { cloneDatabase } from './database.ts'
import { eventually } from './eventually.ts'
import { makeKey, makePerson, type Person } from './people.ts'

export { cloneDatabase } from './database.ts'
export { eventually } from './eventually.ts'

export type WorldOptions = {
  /** False: no worker polls for tasks. */
  worker?: boolean
  settings?: Record<string, string>
  /** Replaces the product's routes. */
  routes?: (deps: Pick<ApiDeps, 'config'>) => Route[]
  /** The address at which API and worker reach Temporal, instead of its real address. */
  temporalAddress?: string
  /** Port of a Postgres connection pooler, which serves all connections that need no session. */
  poolerPort?: number
  /** Replaces the embedded payment provider. */
  payments?: PaymentPort
  /** Replaces the probe of this machine's disk. */
  probeDisk?: ProbeDisk
  /** Shows the logs of API and worker. */
  verbose?: boolean
  /** Receives the logs of API and worker instead of standard output. */
  logTo?: DestinationStream
}

export type Sent = {
  key?: string | undefined
  bearer?: string | undefined
  /** Text and bytes are sent unchanged, other values as JSON. */
  body?: unknown
  headers?: Record<string, string> | undefined
}
export type TestAccount = Person
type Received<T = Record<string, unknown>> = { status: number; headers: Headers; text: string; body: T }

export type World = {
  db: Pool
  /** Connects as the role that owns the tables, for rows that the application may not create or change. */
  databaseUrl: string
  /** Connects as the role of API and workers. */
  applicationUrl: string
  temporalAddress: string
  taskQueue: string
  baseUrl: string
  /** The address at which the API serves its metrics. */
  metricsUrl: string
  config: Config
  deps: ApiDeps
  /** Sends a request and reads the whole response. */
  request<T = Record<string, unknown>>(method: string, path: string, sent?: Sent): Promise<Received<T>>
  /** Sends a request and returns the response before its body is read, for streams. */
  fetch(method: string, path: string, sent?: Sent): Promise<Response>
  engine: Engine
  /** Replaces the engine of the API during the run. */
  withEngine<T>(engine: Engine, run: () => Promise<T>): Promise<T>
  makeAccount(options?: { email?: string; credits?: number; organizationId?: string }): Promise<TestAccount>
  makeOrganization(options?: { name?: string; members?: string[] }): Promise<{ id: string }>
  makeArtist(options?: { rosterOf?: string; organizationId?: string }): Promise<{ id: string }>
  makeKey(accountId: string, options?: { name?: string; expiresAt?: Date }): Promise<string>
  close(): Promise<void>
}

const withPort = (url: string, port: number | undefined): string => {
  const changedUrl = new URL(url)
  if (port === undefined) return url
  changedUrl.port = String(port)
  changedUrl.search = ''
  return changedUrl.href
}

const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const send = (baseUrl: string, method: string, path: string, sent: Sent = {}): Promise<Response> => {
  const { key, bearer, body, headers } = sent
  const raw = typeof body === 'string' || body instanceof Uint8Array
  return fetch(baseUrl + path, {
    method,
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
  })
}

const receive = async <T>(responsePromise: Promise<Response>): Promise<Received<T>> => {
  const response = await responsePromise
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parseBody(text) as T }
}

/**
 * Lists the running workflows of a task queue. With `watchers`, lists only the sandbox watchers, which run until a sandbox
 * stops. Otherwise lists all other workflows.
 */
const listOpenWorkflows = async (client: Client, taskQueue: string, watchers = false): Promise<string[]> => {
  const workflowIds: string[] = []
  const typeFilter = `WorkflowType ${watchers ? '=' : '!='} '${watchSandbox.type}'`
  const query = `TaskQueue = '${taskQueue}' and ExecutionStatus = 'Running' and ${typeFilter}`
  for await (const { workflowId } of client.workflow.list({ query })) workflowIds.push(workflowId)
  return workflowIds
}

/** Terminates the sandbox watchers of a test, whose sandboxes end with its folder. */
const endWatchers = async (client: Client, taskQueue: string): Promise<void> => {
  for (const workflowId of await listOpenWorkflows(client, taskQueue, true))
    await client.workflow
      .getHandle(workflowId)
      .terminate('the test has ended')
      .catch(() => {})
}

/** Deletes the schedules of a test, so that none fires after it. */
const endSchedules = async (engine: Engine): Promise<void> => {
  for await (const { taskId } of engine.listSchedules()) await engine.removeSchedule(taskId)
}

/** Fails if a run is unfinished or a workflow does not end, because the test must wait for the end of its work. */
const failOnUnfinishedWork = async (db: Pool, listWorkflows: () => Promise<string[]>): Promise<void> => {
  const unfinished = await db<{ id: string }[]>`select id from runs where status in ('queued', 'running')`
  if (unfinished.length > 0) throw new Error(`the test left live runs: ${unfinished.map(({ id }) => id).join(', ')}`)
  // The engine's list lags a moment behind its state.
  await eventually('the end of every workflow', async () => ((await listWorkflows()).length === 0 ? true : undefined))
}

/** Starts an API and a worker with a separate database, port and task queue. */
export const createWorld = async (options: WorldOptions = {}): Promise<World> => {
  const database = await cloneDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'backline-world-'))
  const store = codeHostOfRun === 'store' ? await startObjectStore() : undefined
  const taskQueue = `test-${randomUUID()}`
  const temporalAddress = inject('temporalAddress')
  const level = options.verbose === true || options.logTo !== undefined ? 'debug' : 'silent'
  const log = options.logTo === undefined ? pino({ level }) : pino({ level }, options.logTo)
  installTestRuntime(log)
  const loadedConfig = loadConfig({
    SERVER_SECRET: 'a secret of the tests that is long enough',
    DATA_DIR: folder,
    DATABASE_POOL: '5',
    LOCAL_MODEL_WORDS_PER_SECOND: '0',
    // Timers are often late on a machine that runs tests.
    LIMIT_EVENT_LOOP_DELAY_MS: '0',
    MIN_CONCURRENT_RUNS: '20',
    // Prevents the building of bases for sandboxes whose creation is slow on such a machine.
    SANDBOX_PREPARE_SECONDS: '3600',
    // The site takes half a second to load, and few tests use it.
    SITE: 'off',
    CONSOLE: 'off',
    WORKFLOW_CACHE: process.env['WORKFLOW_CACHE'],
    ...store?.settings,
    ...options.settings,
  })
  // Port 0, which a setting cannot have, lets the system choose a port.
  const config: Config = {
    ...loadedConfig,
    PORT: 0,
    METRICS_PORT: 0,
    ...(options.poolerPort !== undefined && { DATABASE_SESSION_URL: database.applicationUrl }),
  }
  const db = connect({ url: database.url, max: 3, name: 'test' })
  const common = {
    config,
    databaseUrl: withPort(database.applicationUrl, options.poolerPort),
    temporalAddress: options.temporalAddress ?? temporalAddress,
    taskQueue,
    payments: options.payments,
    probeDisk: options.probeDisk,
    log,
  }
  const api = await startApi({ ...common, ...(options.routes && { routes: options.routes({ config }) }) })
  const baseUrl = `http://127.0.0.1:${api.port}`
  const worker =
    options.worker === false
      ? undefined
      : await startWorker({
          ...common,
          config: { ...config, apiUrl: baseUrl },
          workflowBundle: inject('built').workflowBundle,
        })

  const serverSecret = config.SERVER_SECRET ?? ''

  return {
    db,
    databaseUrl: database.url,
    applicationUrl: database.applicationUrl,
    temporalAddress,
    taskQueue,
    baseUrl,
    metricsUrl: `http://127.0.0.1:${api.metricsPort}/metrics`,
    config,
    deps: api.deps,
    makeKey: (accountId, options) => makeKey(db, serverSecret, accountId, options),
    request: (method, path, sent) => receive(send(baseUrl, method, path, sent)),
    fetch: (method, path, sent) => send(baseUrl, method, path, sent),
    engine: api.deps.engine,
    withEngine: async (engine, run) => {
      const { engine: originalEngine } = api.deps
      api.deps.engine = engine
      try {
        return await run()
      } finally {
        api.deps.engine = originalEngine
      }
    },
    makeAccount: async (fields = {}) => {
      const { email, credits = config.START_CREDITS } = fields
      const person = await makePerson(db, serverSecret, { email, credits })
      if (fields.organizationId !== undefined) await insertMember(db, person.id, fields.organizationId)
      return person
    },
    makeOrganization: async (fields = {}) => {
      const id = await insertOrganization(db, fields.name ?? 'Test organization')
      for (const member of fields.members ?? []) await insertMember(db, member, id)
      return { id }
    },
    makeArtist: async ({ rosterOf, organizationId } = {}) => {
      const [artist] = await db<{ id: string }[]>`
        insert into accounts (kind, name) values ('artist', 'Test artist') returning id`
      const id = artist?.id ?? ''
      if (rosterOf !== undefined)
        await db`insert into account_artist_ids (account_id, artist_id) values (${rosterOf}, ${id})`
      if (organizationId !== undefined)
        await db`insert into artist_organization_ids (artist_id, organization_id) values (${id}, ${organizationId})`
      return { id }
    },
    close: async () => {
      // One connection for all checks, because opening one costs more than a check.
      const engine = await connectClient({ address: temporalAddress, namespace: config.TEMPORAL_NAMESPACE, tls: false })
      try {
        await endSchedules(api.deps.engine)
        if (worker !== undefined) await failOnUnfinishedWork(db, () => listOpenWorkflows(engine.client, taskQueue))
      } finally {
        await api.close()
        await worker?.close()
        await endWatchers(engine.client, taskQueue)
        await engine.close()
        await db.end({ timeout: 5 })
        await database.untilUnused()
        await store?.s3.close()
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}
