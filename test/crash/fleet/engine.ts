import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Connection } from '@temporalio/client'
import { launch, dropCapabilities } from '../../../dev/processes/processes.ts'
import type { Print } from '../../../dev/say.ts'
import { makeOnce } from '../../../dev/stack/make-once.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { postgresUrls } from '../../../dev/stack/postgres/server.ts'
import { prepareNamespace, registerNamespace, retryUntilResponse } from '../../../dev/stack/temporal/namespace.ts'
import { buildServer, cachedServer } from '../../../dev/temporal/build.mjs'
import { searchEnvironment } from '../../../providers/bare-environment.ts'
import type { Start } from '../cluster/member.ts'

const execute = promisify(execFile)
const dynamicConfig = fileURLToPath(new URL('../../../dev/temporal/dynamic-config.yaml', import.meta.url))
const readyTimeoutMs = 90_000

/** Settings of the ports, which are equal on all members because members differ only by address. */
const portSettings = ['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER'].flatMap((service) => [
  `${service}_GRPC_PORT`,
  `${service}_MEMBERSHIP_PORT`,
])

export type EngineOptions = {
  /** Number of members. */
  members: number
  postgres: { port: number; password: string }
  namespace: string
  logFile: (member: number) => string
  say: Print
}

/** A Temporal cluster with its persistence in Postgres, one process per member. */
export type Engine = {
  port: number
  /** Addresses of the members. All of them listen on `port`. */
  hosts: string[]
  /** Creates the schema before the first member starts. */
  prepare(): Promise<void>
  /** Starts a member, which is ready when its frontend responds. */
  start(member: number): Start
  /** Creates the namespace once a member runs. */
  createNamespace(): Promise<void>
}

export const createEngine = async ({ members, postgres, namespace, logFile, say }: EngineOptions): Promise<Engine> => {
  const programs = await ensureServer(say)
  const hosts = Array.from({ length: members }, (_, index) => `127.0.0.${index + 1}`)
  const ports = Object.fromEntries(
    await Promise.all([...portSettings, 'FRONTEND_HTTP_PORT'].map(async (name) => [name, String(await freePort())])),
  ) as Record<string, string>
  const port = Number(ports['FRONTEND_GRPC_PORT'])
  const { username, password } = new URL(postgresUrls(postgres).url)
  const databases = { temporal: 'temporal', visibility: 'temporal_visibility' }

  const setUp = async ([schema, database]: [string, string]): Promise<void> => {
    const access = ['--plugin', 'postgres12', '--ep', '127.0.0.1', '-p', String(postgres.port), '-u', username]
    const run = (...command: string[]) =>
      execute(join(programs, 'sql'), [...access, '--pw', password, '--db', database, ...command])
    await run('create')
    await run('setup-schema', '-v', '0.0')
    await run('update-schema', '--schema-name', `postgresql/v12/${schema}`)
  }

  const start = (member: number): Start => {
    const host = hosts[member - 1] ?? ''
    const env = {
      ...searchEnvironment,
      ...ports,
      DB: 'postgres12',
      POSTGRES_SEEDS: '127.0.0.1',
      DB_PORT: String(postgres.port),
      POSTGRES_USER: username,
      POSTGRES_PWD: password,
      // The members, workers and APIs share the connections of one Postgres.
      SQL_MAX_CONNS: '10',
      SQL_MAX_IDLE_CONNS: '10',
      SQL_VIS_MAX_CONNS: '4',
      SQL_VIS_MAX_IDLE_CONNS: '4',
      NUM_HISTORY_SHARDS: '4',
      LOG_LEVEL: 'warn',
      BIND_ON_IP: host,
      TEMPORAL_BROADCAST_ADDRESS: host,
      DYNAMIC_CONFIG_FILE_PATH: dynamicConfig,
    }
    return async (onLaunch) => {
      const log = await open(logFile(member), 'a', 0o600)
      const server = await launch({
        prefix: dropCapabilities(),
        command: [join(programs, 'server'), '--allow-no-auth', 'start'],
        env,
        stdio: ['ignore', log.fd, log.fd],
        deathSignal: 'TERM',
        stopSteps: [{ signal: 'SIGTERM', waitMs: 10_000 }],
      })
      await log.close()
      onLaunch(server)
      let ended: string | undefined
      void server.exited.then((how) => (ended = how))
      const connection = Connection.lazy({ address: `${host}:${port}` })
      const failure = await retryUntilResponse(
        connection,
        { hasExited: () => ended !== undefined, timeoutMs: 1000, maxMs: readyTimeoutMs },
        () => connection.workflowService.listNamespaces({}),
      )
      await connection.close()
      if (failure === undefined) return server
      await server.stop()
      const output = (await readFile(logFile(member), 'utf8')).slice(-4000)
      throw new Error(`member ${member} of Temporal did not start (${ended ?? failure}): ${output}`)
    }
  }

  return {
    port,
    hosts,
    prepare: async () => {
      await Promise.all(Object.entries(databases).map(setUp))
    },
    start,
    createNamespace: async () => {
      const connection = Connection.lazy({ address: `${hosts[0]}:${port}` })
      try {
        await registerNamespace(connection, namespace)
        const limits = { hasExited: () => false, timeoutMs: 10_000, maxMs: readyTimeoutMs }
        // A member recognizes a new namespace after some seconds.
        const failure = await retryUntilResponse(connection, limits, () => prepareNamespace(connection, namespace))
        if (failure !== undefined) throw new Error(`the namespace was not created: ${failure}`)
      } finally {
        await connection.close()
      }
    },
  }
}

/** Builds the server and its schema tool once on this machine. Returns their folder. */
const ensureServer = (say: Print): Promise<string> =>
  makeOnce(
    {
      path: cachedServer(),
      name: 'the Temporal server',
      find: () => (existsSync(cachedServer()) ? cachedServer() : undefined),
      make: async () => {
        const draft = `${cachedServer()}.new`
        await rm(draft, { recursive: true, force: true })
        await mkdir(draft, { recursive: true })
        say('Building the Temporal server with Go: once on this machine …')
        await buildServer(draft, say).done
        await rename(draft, cachedServer())
        return cachedServer()
      },
    },
    say,
  )
