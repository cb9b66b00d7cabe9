import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pino } from 'pino'
import { connectorSettings, diskSettings, loadConfig, sandboxSettings, type Config } from '../../config.ts'
import { searchEnvironment } from '../../providers/bare-environment.ts'
import { openDiskSpace } from '../../providers/disk-space.ts'
import { createSandboxes } from '../../providers/sandbox/choose.ts'
import { isRoot } from '../../providers/sandbox/local/host.ts'
import { describeRole } from '../stack/database-role.ts'
import { describeMachines } from '../stack/describe-machines.ts'
import { hasBubblewrap, installHint } from '../system/bubblewrap.ts'
import { createDataDir } from '../stack/data-dir.ts'
import { findLockHolder } from '../stack/file-lock.ts'
import { findPortFault, listPorts } from '../stack/ports.ts'
import { findPostgres } from '../stack/postgres-binaries.ts'
import { findPostgresUser } from '../stack/postgres-user.ts'
import { readMessage, print } from '../say.ts'
import { findServiceUser, workerNeedsRoot } from '../system/service-user.ts'
import { cliVersion, findCli, findGo } from '../stack/temporal/cli.ts'
import { createMediaConfinement } from '../../providers/render/embedded/child.ts'
import { findFfmpeg } from '../../providers/render/ffmpeg.ts'
import { installHint as ffmpegHint } from '../system/ffmpeg.ts'

/** Result of a check: `ok`, `note` (works with limitations) or `FAIL` (Backline does not start). */
type Finding = { subject: string; state: 'ok' | 'note' | 'FAIL'; text: string }

/** `npm run doctor`: checks this machine and the settings, and prints how to fix problems. */
export async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = loadConfig()
  const findings = [
    ...checkTools(),
    checkPostgres(config),
    await checkRole(config),
    checkTemporal(config),
    { subject: 'Machines', ...(await describeMachines(config)) },
    await checkPorts(config),
    await checkDisk(config),
    await checkSandbox(config),
    await checkMedia(config),
    ...checkUsers(config),
    ...describeProviders(config),
  ]
  for (const { subject, state, text } of findings) print(`${state.padEnd(5)}${subject.padEnd(10)} ${text}`)
  if (findings.some(({ state }) => state === 'FAIL')) process.exitCode = 1
}

function checkTools(): Finding[] {
  const git = firstLine('git', ['--version'])
  return [
    { subject: 'Node', state: 'ok', text: process.version },
    { subject: 'Packages', state: 'ok', text: 'as in package-lock.json' },
    git === undefined
      ? { subject: 'git', state: 'FAIL', text: 'is missing: install the package git.' }
      : { subject: 'git', state: 'ok', text: git },
  ]
}

function firstLine(file: string, args: string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', env: searchEnvironment })
  return status === 0 ? (stdout || stderr).trim().split('\n')[0] : undefined
}

function checkPostgres(config: Config): Finding {
  const subject = 'Postgres'
  if (config.DATABASE_URL !== undefined) return { subject, state: 'ok', text: 'yours (DATABASE_URL)' }
  try {
    const binaries = findPostgres()
    const data = resolve(config.DATA_DIR)
    const { server, reason } = findPostgresUser([
      binaries.root,
      [join(data, 'postgres'), data, dirname(data)].find(existsSync) ?? '/',
    ])
    const version = firstLine(binaries.postgres, ['--version'])
    if (version === undefined)
      return { subject, state: 'FAIL', text: 'its binaries do not run here: set DATABASE_URL.' }
    if (reason !== undefined)
      return { subject, state: 'note', text: `embedded, ${version}. It has the files of root: ${reason}.` }
    return {
      subject,
      state: 'ok',
      text: `embedded, ${version}${server.owner === undefined ? '' : `, as user ${server.owner}`}`,
    }
  } catch (error) {
    return { subject, state: 'FAIL', text: readMessage(error) }
  }
}

async function checkRole(config: Config): Promise<Finding> {
  return { subject: 'Role', ...(await describeRole(config)) }
}

function checkTemporal(config: Config): Finding {
  const subject = 'Temporal'
  if (config.TEMPORAL_ADDRESS !== undefined)
    return { subject, state: 'ok', text: `yours (TEMPORAL_ADDRESS ${config.TEMPORAL_ADDRESS})` }
  try {
    const found = findCli(config.TEMPORAL_CLI)
    if (found) return { subject, state: 'ok', text: `embedded, CLI from ${found.source}: ${found.path}` }
  } catch (error) {
    return { subject, state: 'FAIL', text: readMessage(error) }
  }
  const go = findGo()
  if (go !== undefined)
    return { subject, state: 'note', text: `the first start downloads the CLI ${cliVersion}, or builds it with ${go}.` }
  return {
    subject,
    state: 'note',
    text: `the first start downloads the CLI ${cliVersion}. Without internet, install Go (https://go.dev/dl) or set TEMPORAL_CLI.`,
  }
}

async function checkPorts(config: Config): Promise<Finding> {
  const subject = 'Ports'
  const holder = await findLockHolder(createDataDir(resolve(config.DATA_DIR)).lock)
  if (holder) return { subject, state: 'ok', text: `in use by the Backline that runs (process ${holder.pid})` }
  const fault = await findPortFault(listPorts(config))
  if (fault !== undefined) return { subject, state: 'FAIL', text: fault }
  return {
    subject,
    state: 'ok',
    text: `free: ${listPorts(config)
      .map(({ setting, port }) => `${setting} ${port}`)
      .join(', ')}`,
  }
}

async function checkDisk(config: Config): Promise<Finding> {
  const disk = await openDiskSpace(diskSettings(config))
  const room = await disk.room()
  const text = `${gibibytes(await disk.freeBytes())} free where ${config.DATA_DIR} is, of which ${gibibytes(disk.reserveBytes)} are the reserve`
  if (room > 0) return { subject: 'Disk', state: 'ok', text }
  const refused = 'uploads, pushes, snapshots and new sandboxes are refused'
  return { subject: 'Disk', state: 'note', text: `${text}: ${refused}. Free some, or set DISK_RESERVE_MEGABYTES.` }
}

function gibibytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`
}

async function checkSandbox(config: Config): Promise<Finding> {
  const subject = 'Sandboxes'
  const root = await mkdtemp(join(tmpdir(), 'backline-doctor-'))
  try {
    const sandboxes = await createSandboxes({ ...sandboxSettings(config), root, log: pino({ level: 'silent' }) })
    const { ok, isolation } = await sandboxes.probe()
    if (!ok) return { subject, state: 'FAIL', text: isolation }
    if (isolation.includes('NOT filtered')) return { subject, state: 'note', text: isolation }
    const better = config.SANDBOX_PROVIDER === 'auto' && process.platform === 'linux' && !hasBubblewrap()
    return {
      subject,
      state: better ? 'note' : 'ok',
      text: better ? `${isolation} For full isolation: ${installHint()}` : isolation,
    }
  } catch (error) {
    return { subject, state: 'FAIL', text: readMessage(error) }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function checkMedia(config: Config): Promise<Finding> {
  const subject = 'Media'
  if (config.RENDER_PROVIDER === 'fal') return { subject, state: 'ok', text: 'fal.ai' }
  const found = await findFfmpeg(config.FFMPEG_PATH)
  if (found === undefined)
    return {
      subject,
      state: 'note',
      text: `no ffmpeg runs here: tracks are WAV files, and videos fail. ${ffmpegHint()}, or set FFMPEG_PATH.`,
    }
  const version = firstLine(found, ['-version'])?.replace(/ Copyright.*/, '') ?? found
  const { isolation, isFull } = await describeConfinement()
  const text = `embedded, ${version}. Songs and pictures are decoded apart from this service: ${isolation}.`
  return { subject, state: isFull ? 'ok' : 'note', text }
}

/** Describes the confinement of decoders on this machine. */
async function describeConfinement(): Promise<{ isolation: string; isFull: boolean }> {
  const root = await mkdtemp(join(tmpdir(), 'backline-doctor-'))
  try {
    return await createMediaConfinement({ root: join(root, 'sandboxes') }).describe()
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Reports which processes run as root, and why. */
function checkUsers(config: Config): Finding[] {
  const apiUser = findServiceUser(config, resolve(config.DATA_DIR))
  if (!isRoot()) return [{ subject: 'Users', state: 'ok', text: 'API and worker run as you, without rights of root.' }]
  const api: Finding =
    apiUser.uid === undefined
      ? { subject: 'API', state: 'note', text: `runs as root: ${apiUser.reason}. Start as another user.` }
      : { subject: 'API', state: 'ok', text: `runs as user ${apiUser.uid}, without rights of root.` }
  if (!workerNeedsRoot(config)) return [{ ...api, subject: 'Users', text: `API and worker: ${api.text}` }]
  const why = 'only root can give each sandbox a user and a memory limit of its own'
  const choice = 'Started as another user it is not root; sandboxes then share that user.'
  return [
    api,
    { subject: 'Worker', state: 'note', text: `runs as root: ${why}. Commands of agents never do. ${choice}` },
  ]
}

function describeProviders(config: Config): Finding[] {
  const models = [
    'local/*',
    ...(config.MODEL_BASE_URL === undefined ? [] : [`custom/* at ${config.MODEL_BASE_URL}`]),
    ...(config.GATEWAY_API_KEY === undefined ? [] : [`everything else at ${config.GATEWAY_BASE_URL}`]),
  ]
  const hint = models.length > 1 ? '' : '. Set MODEL_BASE_URL or GATEWAY_API_KEY for a real one.'
  const identity = config.IDENTITY_ISSUER ?? 'embedded issuer, for development'
  return [
    {
      subject: 'Models',
      state: models.length > 1 ? 'ok' : 'note',
      text: `${models.join(', ')}; new chats use ${config.defaultModel}${hint}`,
    },
    { subject: 'Code host', state: 'ok', text: 'embedded: bare repositories in the data folder' },
    { subject: 'Identity', state: 'ok', text: identity },
    { subject: 'Connectors', state: 'ok', text: describeConnectors(config) },
  ]
}

function describeConnectors(config: Config): string {
  const { broker, folder } = connectorSettings(config)
  const description = { embedded: 'embedded demo services', composio: 'Composio', none: 'no broker' }[broker]
  return folder === undefined ? description : `${description}, and what ${folder} describes`
}
