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
import { findPortProblem, listPorts } from '../stack/ports.ts'
import { findPostgres } from '../stack/postgres/binaries.ts'
import { findPostgresUser } from '../stack/postgres/user.ts'
import { readMessage, print } from '../say.ts'
import { findServiceUser, workerNeedsRoot } from '../system/service-user.ts'
import { cliVersion, findCli, findGo } from '../stack/temporal/cli.ts'
import { createMediaConfinement } from '../../providers/render/embedded/child.ts'
import { findFfmpeg } from '../../providers/render/ffmpeg.ts'
import { installHint as ffmpegHint } from '../system/ffmpeg.ts'

/** Result of a check. `note`: works with limitations. `FAIL`: Backline does not start. */
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
  if (config.DATABASE_URL !== undefined) return { subject, state: 'ok', text: 'external (DATABASE_URL)' }
  try {
    const binaries = findPostgres()
    const data = resolve(config.DATA_DIR)
    const { server, reason } = findPostgresUser([
      binaries.root,
      [join(data, 'postgres'), data, dirname(data)].find(existsSync) ?? '/',
    ])
    const version = firstLine(binaries.postgres, ['--version'])
    if (version === undefined)
      return { subject, state: 'FAIL', text: 'the embedded binaries do not run on this machine: set DATABASE_URL.' }
    if (reason !== undefined)
      return { subject, state: 'note', text: `embedded, ${version}. It can access root's files: ${reason}.` }
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
    return { subject, state: 'ok', text: `external (TEMPORAL_ADDRESS ${config.TEMPORAL_ADDRESS})` }
  try {
    const cli = findCli(config.TEMPORAL_CLI)
    if (cli) return { subject, state: 'ok', text: `embedded, CLI from ${cli.source}: ${cli.path}` }
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
  if (holder) return { subject, state: 'ok', text: `in use by the running Backline (process ${holder.pid})` }
  const problem = await findPortProblem(listPorts(config))
  if (problem !== undefined) return { subject, state: 'FAIL', text: problem }
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
  const availableBytes = await disk.room()
  const text = `${formatGibibytes(await disk.freeBytes())} free on the disk of ${config.DATA_DIR}; ${formatGibibytes(disk.reserveBytes)} are reserved`
  if (availableBytes > 0) return { subject: 'Disk', state: 'ok', text }
  const effect = 'uploads, pushes, snapshots and new sandboxes are rejected'
  return { subject: 'Disk', state: 'note', text: `${text}: ${effect}. Free some space, or set DISK_RESERVE_MEGABYTES.` }
}

function formatGibibytes(bytes: number): string {
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
    const isSimulated = config.SANDBOX_PROVIDER === 'auto' && process.platform === 'linux' && !hasBubblewrap()
    return {
      subject,
      state: isSimulated ? 'note' : 'ok',
      text: isSimulated ? `${isolation} For full isolation: ${installHint()}` : isolation,
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
  const ffmpeg = await findFfmpeg(config.FFMPEG_PATH)
  if (ffmpeg === undefined)
    return {
      subject,
      state: 'note',
      text: `ffmpeg does not run on this machine: tracks are WAV files, and videos fail. ${ffmpegHint()}, or set FFMPEG_PATH.`,
    }
  const version = firstLine(ffmpeg, ['-version'])?.replace(/ Copyright.*/, '') ?? ffmpeg
  const { isolation, isFull } = await describeConfinement()
  const text = `embedded, ${version}. Songs and images are decoded outside the service: ${isolation}.`
  return { subject, state: isFull ? 'ok' : 'note', text }
}

/** Describes how decoders are confined on this machine. */
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
  if (!isRoot())
    return [{ subject: 'Users', state: 'ok', text: 'API and worker run as the current user, without root privileges.' }]
  const api: Finding =
    apiUser.uid === undefined
      ? { subject: 'API', state: 'note', text: `runs as root: ${apiUser.reason}. Start Backline as another user.` }
      : { subject: 'API', state: 'ok', text: `runs as user ${apiUser.uid}, without root privileges.` }
  if (!workerNeedsRoot(config)) return [{ ...api, subject: 'Users', text: `API and worker: ${api.text}` }]
  const reason = 'only root can give each sandbox its own user and memory limit'
  const alternative = 'If you start Backline as another user, sandboxes share that user.'
  return [
    api,
    {
      subject: 'Worker',
      state: 'note',
      text: `runs as root: ${reason}. Agents' commands never run as root. ${alternative}`,
    },
  ]
}

function describeProviders(config: Config): Finding[] {
  const models = [
    'local/*',
    ...(config.MODEL_BASE_URL === undefined ? [] : [`custom/* at ${config.MODEL_BASE_URL}`]),
    ...(config.GATEWAY_API_KEY === undefined ? [] : [`all others at ${config.GATEWAY_BASE_URL}`]),
  ]
  const hint = models.length > 1 ? '' : '. Set MODEL_BASE_URL or GATEWAY_API_KEY to use other models.'
  const identity = config.IDENTITY_ISSUER ?? 'embedded issuer, for development'
  return [
    {
      subject: 'Models',
      state: models.length > 1 ? 'ok' : 'note',
      text: `${models.join(', ')}; new chats use ${config.defaultModel}${hint}`,
    },
    { subject: 'Code host', state: 'ok', text: 'embedded: bare repositories in DATA_DIR' },
    { subject: 'Identity', state: 'ok', text: identity },
    { subject: 'Connectors', state: 'ok', text: describeConnectors(config) },
  ]
}

function describeConnectors(config: Config): string {
  const { broker, folder } = connectorSettings(config)
  const description = { embedded: 'embedded demo services', composio: 'Composio', none: 'no broker' }[broker]
  return folder === undefined ? description : `${description}, and the services in ${folder}`
}
