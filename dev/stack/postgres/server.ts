import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { searchEnvironment } from '../../../providers/bare-environment.ts'
import { findPostgres, type PostgresBinaries } from './binaries.ts'
import { locateSocketFolder, prepareSocketFolder } from './socket.ts'
import { findPostgresUser, type PostgresUser } from './user.ts'
import {
  readCommandLine,
  launch,
  readProcessMark,
  stopProcess,
  waitFor,
  type LaunchedProcess,
  type StopStep,
} from '../../processes/processes.ts'
import { CommandRefusedError } from '../../say.ts'
import { withDatabase } from '../with-database.ts'

const role = 'backline'
const applicationRole = 'backline_app'
// Fast shutdown, then immediate shutdown, which requires recovery at the next start.
const stopSteps: StopStep[] = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5000 },
]

export type PostgresOptions = {
  /** Absolute path. The folder is created if it does not exist. */
  dataDir: string
  port: number
  /** Password of the role that owns the tables. */
  password: string
  /** Password of the role of the API and the workers. Default: `password`, for temporary data. */
  applicationPassword?: string
  logFile: string
  /** Set to false for temporary data: Postgres then neither syncs to disk nor vacuums. */
  durable?: boolean
  /** Called with the server process as soon as it is started. */
  onLaunch?: (launched: LaunchedProcess) => void
}
export type RunningPostgres = LaunchedProcess & {
  /** Database URL whose role is a superuser and owns the tables. */
  url: string
  /** Database URL of the API and the workers, whose role owns nothing (`grantApplication`). */
  applicationUrl: string
}

/** Stops a server that an earlier start left running on this folder, and removes the pid file. */
export async function stopOrphan(dataDir: string): Promise<void> {
  const pid = Number((await readPidFile(dataDir))[0])
  const mark = pid > 0 ? readProcessMark(pid) : undefined
  if (mark && readCommandLine(pid).includes(`-D ${dataDir} `)) await stopProcess(mark, stopSteps)
  await rm(join(dataDir, 'postmaster.pid'), { force: true })
}

/**
 * Returns the connection URLs of the embedded Postgres for its owner and for the application. With `dataDir`, the
 * application connects through a Unix socket, which costs both sides less CPU time than TCP.
 */
export function postgresUrls({
  port,
  password,
  applicationPassword = password,
  dataDir,
}: Pick<PostgresOptions, 'port' | 'password' | 'applicationPassword'> & { dataDir?: string }) {
  const folder = dataDir === undefined ? undefined : locateSocketFolder(dataDir)
  const socket = folder === undefined ? '' : `?host=${encodeURIComponent(folder)}`
  return {
    url: `postgres://${role}:${password}@127.0.0.1:${port}/${role}`,
    applicationUrl: `postgres://${applicationRole}:${applicationPassword}@127.0.0.1:${port}/${role}${socket}`,
  }
}

/** Starts the embedded Postgres. Works regardless of the state in which an earlier process left the folder. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const binaries = findPostgres()
  const user = await prepareData(binaries, options)
  await chmod(options.dataDir, 0o700)
  await stopOrphan(options.dataDir)
  let server: LaunchedProcess | undefined
  for (let attempt = 1; server === undefined; attempt++) {
    try {
      server = await launchServer(binaries, options, user.server)
    } catch (error) {
      const text = error instanceof Error ? error.message : ''
      if (/initialized by PostgreSQL version/.test(text))
        throw new CommandRefusedError(
          `${options.dataDir} was created by another major version of Postgres: export its data with that version, or delete the folder.`,
        )
      // The backends of a killed server take a moment to exit.
      if (attempt === 20 || !/shared memory block|Address already in use|PGSQL\.\d+\.lock" already exists/.test(text))
        throw error
      await pause(250)
    }
  }
  const { url, applicationUrl } = postgresUrls(options)
  try {
    await ensureDatabase(options)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { ...server, url, applicationUrl }
}

async function readPidFile(dataDir: string): Promise<string[]> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')
  return text.split('\n').map((line) => line.trim())
}

/** Creates the data folder if necessary and makes the server's user its owner. */
async function prepareData(binaries: PostgresBinaries, options: PostgresOptions): Promise<PostgresUser> {
  const { dataDir } = options
  const isNew = !existsSync(join(dataDir, 'PG_VERSION'))
  // The draft is renamed when complete, so that an interrupted start leaves no partial database.
  const draft = `${dataDir}.new`
  if (isNew) await createEmptyFolder(draft)
  const user = findPostgresUser([binaries.root, isNew ? draft : dataDir])
  if (isNew) {
    await initialize(binaries, draft, options, user.initdb)
    await rename(draft, dataDir)
  }
  if (user.server.owner !== undefined) await changeOwner(dataDir, user.server.owner)
  const socketFolder = locateSocketFolder(dataDir)
  if (socketFolder !== undefined) await prepareSocketFolder(socketFolder, user.server.owner)
  return user
}

async function createEmptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

async function initialize(
  { root, initdb }: PostgresBinaries,
  folder: string,
  options: PostgresOptions,
  { owner, prefix }: PostgresUser['initdb'],
): Promise<void> {
  const secretFolder = `${options.dataDir}.password`
  const passwordFile = join(secretFolder, 'password')
  await createEmptyFolder(secretFolder)
  await writeFile(passwordFile, options.password, { mode: 0o600 })
  if (owner !== undefined) for (const path of [folder, secretFolder, passwordFile]) await chown(path, owner, owner)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = [`--username=${role}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const sync = options.durable === false ? ['--no-sync'] : []
  const [file = '', ...args] = [
    ...prefix([root, folder, secretFolder]),
    initdb,
    '-D',
    folder,
    ...access,
    ...locale,
    ...sync,
  ]
  const result = spawnSync(file, args, { encoding: 'utf8', env: searchEnvironment })
  await rm(secretFolder, { recursive: true })
  if (result.status !== 0) throw new Error(`initdb failed: ${result.stderr.trim() || result.error?.message}`)
}

async function changeOwner(folder: string, owner: number): Promise<void> {
  if ((await stat(folder)).uid === owner) return
  for (const entry of await readdir(folder, { recursive: true })) await chown(join(folder, entry), owner, owner)
  await chown(folder, owner, owner)
}

async function launchServer(
  { root, postgres }: PostgresBinaries,
  options: PostgresOptions,
  { prefix }: PostgresUser['server'],
): Promise<LaunchedProcess> {
  const socketFolder = locateSocketFolder(options.dataDir)
  const log = await open(options.logFile, 'a', 0o600)
  const startOffset = (await log.stat()).size
  const server = await launch({
    command: [postgres, '-D', options.dataDir, ...serverSettings(options, socketFolder)],
    prefix: prefix([root, options.dataDir, ...(socketFolder === undefined ? [] : [socketFolder])]),
    env: searchEnvironment,
    stdio: ['ignore', log.fd, log.fd],
    deathSignal: 'INT',
    stopSteps,
  })
  await log.close()
  options.onLaunch?.(server)
  let exitCause: string | undefined
  void server.exited.then((cause) => (exitCause = cause))
  const isReady = async (): Promise<boolean> => {
    const lines = await readPidFile(options.dataDir)
    return exitCause !== undefined || (lines[7] === 'ready' && Number(lines[0]) === server.pid)
  }
  const isSettled = await waitFor(isReady, 60_000)
  if (isSettled && exitCause === undefined) return server
  await server.stop()
  throw new Error(
    `Postgres did not start (${exitCause ?? 'not ready after 60 s'}): ${await tail(options.logFile, startOffset)}`,
  )
}

function serverSettings({ port, durable = true }: PostgresOptions, socketFolder = ''): string[] {
  return Object.entries({
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: socketFolder,
    max_connections: 200,
    shared_buffers: '128MB',
    max_wal_size: '512MB',
    jit: 'off',
    max_logical_replication_workers: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // A failing statement may contain user data.
    log_min_error_statement: 'panic',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }),
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function tail(file: string, from: number): Promise<string> {
  return (await readFile(file)).subarray(from).toString('utf8').trim()
}

async function ensureDatabase(options: PostgresOptions): Promise<void> {
  const server = new URL(postgresUrls(options).url)
  server.pathname = 'postgres'
  await withDatabase({ url: server.href, name: 'backline start' }, async (db) => {
    const [database] = await db`select 1 from pg_database where datname = ${role}`
    if (!database) await db`create database ${db(role)}`
  })
}
