import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../dev/stack/ports.ts'
import { ensurePackage } from '../../../dev/system/packages.ts'
import { eventually } from '../../world/world.ts'

const file = process.env['PGBOUNCER'] ?? 'pgbouncer'
const nobody = 65534

const readVersion = (): string | undefined =>
  /PgBouncer (\d+\.\d+)/.exec(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]

/** Installs pgbouncer if it is missing. Returns its version, such as 1.24, or undefined if it cannot be installed. */
export const ensurePgbouncer = async (): Promise<string | undefined> => {
  const wanted = {
    name: 'pgbouncer',
    isInstalled: () => readVersion() !== undefined,
    purpose: 'a proof connects through it',
    without: 'the proof of connection poolers is skipped. To install it',
    timeoutMs: 60_000,
  }
  await ensurePackage(wanted, (text) => console.log(text))
  return readVersion()
}

/** Settings that the documentation requires. A test may replace them. */
const documentedSettings = {
  pool_mode: 'transaction',
  max_prepared_statements: '200',
  ignore_startup_parameters: 'statement_timeout, client_connection_check_interval',
}

/** Starts a pgbouncer for the server of a URL. Returns the URL of the pooler. Undefined settings are omitted. */
export const startPgbouncer = async (serverUrl: string, settings: Record<string, string | undefined> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'backline-pgbouncer-'))
  const { port: serverPort, username, password, pathname } = new URL(serverUrl)
  const port = await freePort()
  const authFile = join(folder, 'users.txt')
  const values = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: authFile,
    default_pool_size: '5',
    max_client_conn: '200',
    // A test database can be dropped only after all its connections have ended.
    server_idle_timeout: '2',
    ...documentedSettings,
    ...settings,
  }
  const connectQuery = 'set statement_timeout = 30000; set client_connection_check_interval = 500'
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${serverPort} connect_query='${connectQuery}'`,
    '[pgbouncer]',
    ...Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : `${name} = ${value}`)),
  ]
  await writeFile(authFile, `"${username}" "${password}"\n`)
  await writeFile(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`)
  await chmod(folder, 0o755)
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const child = spawn(file, [join(folder, 'pgbouncer.ini')], { stdio: ['ignore', 'ignore', 'pipe'], ...user })
  let log = ''
  child.stderr.on('data', (data: Buffer) => (log += data.toString()))
  const exited = once(child, 'exit')
  await eventually('a pgbouncer that listens', async () => {
    if (child.exitCode !== null) throw new Error(log)
    return log.includes('process up') || undefined
  })
  const url = new URL(serverUrl)
  url.port = String(port)
  url.search = ''
  url.pathname = pathname
  return {
    url: url.href,
    port,
    close: async (): Promise<void> => {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
