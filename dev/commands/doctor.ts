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
import { installHint } from '../system/packages.ts'
import { hasBubblewrap } from '../system/programs.ts'
import { createDataDir } from '../stack/data-dir.ts'
import { findLockHolder } from '../stack/file-lock.ts'
import { fail, note, ok, type Finding } from '../stack/finding.ts'
import { findPortProblem, listPorts } from '../stack/ports.ts'
import { findPostgres } from '../stack/postgres/binaries.ts'
import { findPostgresUser } from '../stack/postgres/user.ts'
import { readMessage, print } from '../say.ts'
import { findServiceUser, workerNeedsRoot } from '../system/service-user.ts'
import { cliVersion, findCli, findGo } from '../stack/temporal/cli.ts'
import { createMediaConfinement } from '../../providers/render/embedded/child.ts'
import { findFfmpeg } from '../../providers/render/ffmpeg.ts'

/** `npm run doctor`: checks this machine and the settings, and prints how to fix problems. */
export async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = loadConfig()
  const findings: Record<string, Finding> = {
    Node: ok(process.version),
    Packages: ok('as in package-lock.json'),
    git: checkGit(),
    Postgres: checkPostgres(config),
    Role: await describeRole(config),
    Temporal: checkTemporal(config),
    Machines: await describeMachines(config),
    Ports: await checkPorts(config),
    Disk: await checkDisk(config),
    Sandboxes: await checkSandbox(config),
    Media: await checkMedia(config),
    ...checkUsers(config),
    Models: describeModels(config),
    'Code host': ok('embedded: bare repositories in DATA_DIR'),
    Identity: ok(config.IDENTITY_ISSUER ?? 'embedded issuer, for development'),
    Connectors: ok(describeConnectors(config)),
  }
  for (const [subject, { state, text }] of Object.entries(findings))
    print(`${state.padEnd(5)}${subject.padEnd(10)} ${text}`)
  if (Object.values(findings).some(({ state }) => state === 'FAIL')) process.exitCode = 1
}

function checkGit(): Finding {
  const version = firstLine('git', ['--version'])
  return version === undefined ? fail('is missing: install the package git.') : ok(version)
}

function firstLine(file: string, args: string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', env: searchEnvironment })
  return status === 0 ? (stdout || stderr).trim().split('\n')[0] : undefined
}

function checkPostgres(config: Config): Finding {
  if (config.DATABASE_URL !== undefined) return ok('external (DATABASE_URL)')
  try {
    const binaries = findPostgres()
    const data = resolve(config.DATA_DIR)
    const folder = [join(data, 'postgres'), data, dirname(data)].find(existsSync) ?? '/'
    const { server, reason } = findPostgresUser([binaries.root, folder])
    const version = firstLine(binaries.postgres, ['--version'])
    if (version === undefined) return fail('the embedded binaries do not run on this machine: set DATABASE_URL.')
    if (reason !== undefined) return note(`embedded, ${version}. It can access root's files: ${reason}.`)
    return ok(`embedded, ${version}${server.owner === undefined ? '' : `, as user ${server.owner}`}`)
  } catch (error) {
    return fail(readMessage(error))
  }
}

function checkTemporal(config: Config): Finding {
  if (config.TEMPORAL_ADDRESS !== undefined) return ok(`external (TEMPORAL_ADDRESS ${config.TEMPORAL_ADDRESS})`)
  try {
    const cli = findCli(config.TEMPORAL_CLI)
    if (cli) return ok(`embedded, CLI from ${cli.source}: ${cli.path}`)
  } catch (error) {
    return fail(readMessage(error))
  }
  const go = findGo()
  return note(
    go === undefined
      ? `the first start downloads the CLI ${cliVersion}. Without internet, install Go (https://go.dev/dl) or set TEMPORAL_CLI.`
      : `the first start downloads the CLI ${cliVersion}, or builds it with ${go}.`,
  )
}

async function checkPorts(config: Config): Promise<Finding> {
  const holder = await findLockHolder(createDataDir(resolve(config.DATA_DIR)).lock)
  if (holder) return ok(`in use by the running Backline (process ${holder.pid})`)
  const ports = listPorts(config)
  const problem = await findPortProblem(ports)
  if (problem !== undefined) return fail(problem)
  return ok(`free: ${ports.map(({ setting, port }) => `${setting} ${port}`).join(', ')}`)
}

async function checkDisk(config: Config): Promise<Finding> {
  const disk = await openDiskSpace(diskSettings(config))
  const availableBytes = await disk.room()
  const text = `${formatGibibytes(await disk.freeBytes())} free on the disk of ${config.DATA_DIR}; ${formatGibibytes(disk.reserveBytes)} are reserved`
  if (availableBytes > 0) return ok(text)
  const effect = 'uploads, pushes, snapshots and new sandboxes are rejected'
  return note(`${text}: ${effect}. Free some space, or set DISK_RESERVE_MEGABYTES.`)
}

function formatGibibytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`
}

async function checkSandbox(config: Config): Promise<Finding> {
  const root = await mkdtemp(join(tmpdir(), 'backline-doctor-'))
  try {
    const sandboxes = await createSandboxes({ ...sandboxSettings(config), root, log: pino({ level: 'silent' }) })
    const { ok: works, isolation } = await sandboxes.probe()
    if (!works) return fail(isolation)
    if (isolation.includes('NOT filtered')) return note(isolation)
    const isSimulated = config.SANDBOX_PROVIDER === 'auto' && process.platform === 'linux' && !hasBubblewrap()
    return isSimulated ? note(`${isolation} For full isolation: ${installHint('bubblewrap')}`) : ok(isolation)
  } catch (error) {
    return fail(readMessage(error))
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function checkMedia(config: Config): Promise<Finding> {
  if (config.RENDER_PROVIDER === 'fal') return ok('fal.ai')
  const ffmpeg = await findFfmpeg(config.FFMPEG_PATH)
  if (ffmpeg === undefined)
    return note(
      `ffmpeg does not run on this machine: tracks are WAV files, and videos fail. ${installHint('ffmpeg')}, or set FFMPEG_PATH.`,
    )
  const version = firstLine(ffmpeg, ['-version'])?.replace(/ Copyright.*/, '') ?? ffmpeg
  const root = await mkdtemp(join(tmpdir(), 'backline-doctor-'))
  try {
    const { isolation, isFull } = await createMediaConfinement({ root: join(root, 'sandboxes') }).describe()
    const text = `embedded, ${version}. Songs and images are decoded outside the service: ${isolation}.`
    return isFull ? ok(text) : note(text)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Reports which processes run as root, and why. */
function checkUsers(config: Config): Record<string, Finding> {
  const apiUser = findServiceUser(config, resolve(config.DATA_DIR))
  if (!isRoot()) return { Users: ok('API and worker run as the current user, without root privileges.') }
  const api =
    apiUser.uid === undefined
      ? note(`runs as root: ${apiUser.reason}. Start Backline as another user.`)
      : ok(`runs as user ${apiUser.uid}, without root privileges.`)
  if (!workerNeedsRoot(config)) return { Users: { ...api, text: `API and worker: ${api.text}` } }
  const reason = 'only root can give each sandbox its own user and memory limit'
  const alternative = 'If you start Backline as another user, sandboxes share that user.'
  return {
    API: api,
    Worker: note(`runs as root: ${reason}. Agents' commands never run as root. ${alternative}`),
  }
}

function describeModels(config: Config): Finding {
  const models = [
    'local/*',
    ...(config.MODEL_BASE_URL === undefined ? [] : [`custom/* at ${config.MODEL_BASE_URL}`]),
    ...(config.GATEWAY_API_KEY === undefined ? [] : [`all others at ${config.GATEWAY_BASE_URL}`]),
  ]
  const text = `${models.join(', ')}; new chats use ${config.defaultModel}`
  return models.length > 1 ? ok(text) : note(`${text}. Set MODEL_BASE_URL or GATEWAY_API_KEY to use other models.`)
}

function describeConnectors(config: Config): string {
  const { broker, folder } = connectorSettings(config)
  const description = { embedded: 'embedded demo services', composio: 'Composio', none: 'no broker' }[broker]
  return folder === undefined ? description : `${description}, and the services in ${folder}`
}
