import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig, type Config } from '../../config.ts'
import { ensurePerson } from '../../db/accounts/people.ts'
import { grantApplication } from '../../db/postgres/application-role.ts'
import { connect, type Pool } from '../../db/postgres/client.ts'
import { hashKey, insertKey, newRawKey } from '../../db/accounts/keys.ts'
import { migrate } from '../../db/migrate.ts'
import { ensurePartitions } from '../../db/log/partitions.ts'
import { build, type BuildOutput } from '../../dev/commands/build.ts'
import { launchNode } from '../../dev/processes/node-part.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { garbageCollector } from '../processes/garbage.ts'
import { startPostgres, type RunningPostgres } from '../../dev/stack/postgres/server.ts'
import type { LaunchedProcess } from '../../dev/processes/processes.ts'
import { awaitReady, awaitWorker, isApiReady } from '../../dev/processes/readiness.ts'
import type { Print } from '../../dev/say.ts'
import { ensureCli } from '../../dev/stack/temporal/cli.ts'
import { startTemporal, type RunningTemporal } from '../../dev/stack/temporal/server.ts'
import { createLifetime } from '../../lifetime.ts'
import { startModelServer } from '../processes/model-process.ts'

type Settings = Record<string, string>
export type Account = { id: string; key: string }
/** A chat whose session has a running sandbox. */
export type OpenChat = { account: Account; sessionId: string; chatId: string }
type RunningApi = LaunchedProcess & { baseUrl: string }

/** Real processes of Backline with their own Postgres and Temporal, and the settings of `npm start`. */
export type Stack = {
  baseUrl: string
  databaseUrl: string
  temporalAddress: string
  /** Connections of the benchmark itself. */
  db: Pool
  config: Config
  built: BuildOutput
  /** URL of the fake model `custom/default`: …/v1. The last user message contains its script: see plan.ts. */
  modelUrl: string
  parts: {
    postgres: RunningPostgres
    temporal: RunningTemporal
    model: LaunchedProcess
    worker: LaunchedProcess
    api: RunningApi
  }
  /** Starts another worker process and waits until it is ready. The stack stops it, and does not restart it. */
  startWorker(settings?: Settings): Promise<LaunchedProcess>
  /** Starts another API process on a free port and waits until it is ready. The stack stops it. */
  startApi(settings?: Settings): Promise<RunningApi>
  createAccount(): Promise<Account>
  /** Creates a session and its sandbox through the API. */
  openChat(account?: Account): Promise<OpenChat>
  /** Creates chats, each with a session. The sessions are copies of one that was created through the API. */
  openChats(count: number): Promise<OpenChat[]>
  /** Sends one user message and returns the open stream. */
  post(chat: OpenChat, text: string): Promise<Response>
  say: Print
}

/** Starts all processes in a temporary folder. `close` stops the processes and deletes the folder. */
export async function startStack(
  say: Print,
  settings: Settings = {},
): Promise<{ stack: Stack; close: () => Promise<void> }> {
  const { register, close } = createLifetime()
  try {
    const folder = await mkdtemp(join(tmpdir(), 'backline-bench-'))
    register(folder, (path) => rm(path, { recursive: true, force: true }))
    const [built, cli] = [await build(), await ensureCli(process.env['TEMPORAL_CLI'], say)]
    const postgres = await startPostgres({
      dataDir: join(folder, 'postgres'),
      logFile: join(folder, 'postgres.log'),
      port: await freePort(),
      password: 'bench',
      onLaunch: (part) => register(part, stop),
    })
    const temporal = await startTemporal({
      cli,
      dataDir: folder,
      logFile: join(folder, 'temporal.log'),
      port: await freePort(),
      namespace: 'default',
      onLaunch: (part) => register(part, stop),
    })
    const db = register(connect({ url: postgres.url, max: 8, name: 'bench' }), (db) => db.end({ timeout: 5 }))
    await migrate(db)
    await grantApplication(db, { ownerUrl: postgres.url, applicationUrl: postgres.applicationUrl })
    await ensurePartitions(db)
    const model = await startModelServer()
    register(model.part, stop)
    const databaseUrl = Object.assign(new URL(postgres.url), { search: new URL(postgres.applicationUrl).search }).href
    const environment = buildEnvironment({
      DATA_DIR: folder,
      DATABASE_URL: postgres.applicationUrl,
      TEMPORAL_ADDRESS: temporal.address,
      SERVER_SECRET: 'a secret of the benches that is long enough',
      WORKFLOW_BUNDLE: built.workflowBundle,
      MODEL_BASE_URL: model.url,
      ...settings,
    })
    const startWorker = async (overrides: Settings = {}): Promise<LaunchedProcess> => {
      const env = { ...environment, ...overrides }
      const part = await launchNode({ name: 'worker', file: built.worker, env, stopWaitMs: 20_000 }, say)
      const config = loadConfig(env)
      const groupUrl = config.WORKER_GROUP === undefined ? undefined : postgres.applicationUrl
      return awaitWorker(register(part, stop), config, temporal.address, groupUrl)
    }
    const startApi = async (overrides: Settings = {}): Promise<RunningApi> => {
      const env = { ...environment, PORT: String(await freePort()), ...overrides }
      const part = await launchNode({ name: 'api', file: built.server, env, stopWaitMs: 15_000 }, say)
      const api = await awaitReady(register(part, stop), 'api', () => isApiReady(loadConfig(env)))
      return { ...api, baseUrl: `http://127.0.0.1:${env.PORT}` }
    }
    const [worker, api] = await Promise.all([startWorker(), startApi()])
    const config = loadConfig({ ...environment, PORT: new URL(api.baseUrl).port })
    const stack: Stack = {
      baseUrl: api.baseUrl,
      databaseUrl,
      temporalAddress: temporal.address,
      db,
      config,
      built,
      modelUrl: model.url,
      parts: { postgres, temporal, model: model.part, worker, api },
      startWorker,
      startApi,
      ...createClient(api.baseUrl, db, config),
      say,
    }
    return { stack, close }
  } catch (error) {
    await close()
    throw error
  }
}

function stop(part: LaunchedProcess): Promise<void> {
  return part.stop()
}

function buildEnvironment(settings: Settings): Settings {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: '0',
    RATE_LIMIT_STARTS_PER_MINUTE: '0',
    RATE_LIMIT_STREAMS: '0',
    // One account represents all users.
    LIMIT_SHARE_PERCENT: '100',
    // A benchmark may take longer than the idle time of a sandbox.
    SANDBOX_IDLE_SECONDS: '18000',
    SANDBOX_LIFETIME_SECONDS: '18000',
    NODE_OPTIONS: `--import ${garbageCollector}`,
    ...settings,
  }
}

function createClient(baseUrl: string, db: Pool, config: Config) {
  const createAccount = async (): Promise<Account> => {
    const { accountId: id } = await ensurePerson(db, `${randomUUID()}@example.com`, config.START_CREDITS)
    const key = newRawKey()
    await insertKey(db, { accountId: id, name: 'bench', keyHash: hashKey(config.SERVER_SECRET ?? '', key) })
    return { id, key }
  }
  const openChat = async (owner?: Account): Promise<OpenChat> => {
    const account = owner ?? (await createAccount())
    const { session, chat } = await sendRequest<{ session: { id: string }; chat: { id: string } }>(
      `${baseUrl}/api/sessions`,
      account.key,
      {},
    )
    await sendRequest(`${baseUrl}/api/sandbox`, account.key, { sessionId: session.id })
    return { account, sessionId: session.id, chatId: chat.id }
  }
  const openChats = async (count: number): Promise<OpenChat[]> => {
    const { account, sessionId: templateId } = await openChat()
    return Promise.all(
      Array.from({ length: count }, async () => {
        const sessionId = randomUUID()
        await db`
          insert into sessions
          select copied.* from sessions, jsonb_populate_record(sessions, jsonb_build_object('id', ${sessionId}::text)) as copied
          where sessions.id = ${templateId}`
        // Rows that the start of a sandbox writes in addition to the session.
        await db`
          insert into session_skills select ${sessionId}, skills, seen_at, changed_at
          from session_skills where session_id = ${templateId}`
        const [chat] = await db<{ id: string }[]>`
          insert into chats (session_id, title) values (${sessionId}, 'New chat') returning id`
        return { account, sessionId, chatId: chat?.id ?? '' }
      }),
    )
  }
  const post = ({ account, sessionId, chatId }: OpenChat, text: string): Promise<Response> =>
    fetch(`${baseUrl}/api/chat`, {
      method: 'POST',
      headers: { 'x-api-key': account.key, 'content-type': 'application/json' },
      body: JSON.stringify({ chatId, sessionId, messages: [{ id: randomUUID(), role: 'user', content: text }] }),
    })
  return { createAccount, openChat, openChats, post }
}

async function sendRequest<T>(url: string, key: string, body: object): Promise<T> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
