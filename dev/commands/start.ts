import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadConfig, type Config } from '../../config.ts'
import { readMachineId } from '../../providers/machine-id.ts'
import { formatBanner } from '../banner.ts'
import { buildApart } from '../build-apart.ts'
import { createDataDir, type DataDir, type LocalFile, type PartName } from '../stack/data-dir.ts'
import { listAddresses, lockDataDir } from '../stack/local-addresses.ts'
import { createLocalState } from '../stack/local-state.ts'
import { chooseMetricsPorts, freePort, listPorts, requirePorts, type MetricsPorts } from '../stack/ports.ts'
import type { LaunchedProcess } from '../processes/processes.ts'
import { localOrigin } from '../processes/readiness.ts'
import { readMessage, CommandRefusedError, print } from '../say.ts'
import { openToServices, prepareServiceUser } from '../system/service-user.ts'
import {
  apiPart,
  postgresPart,
  prepareDatabase,
  stopLeftovers,
  temporalPart,
  workerPart,
  type Addresses,
  type Stack,
} from '../stack/stack.ts'
import { supervise, type Part, type SupervisedPart } from '../processes/supervise.ts'
import { watchSources } from '../watch-sources.ts'
import { ensureCli } from '../stack/temporal/cli.ts'
import { hiddenHost, openTemporalUi } from '../stack/temporal/ui.ts'
import { ensureBubblewrap, ensureFfmpeg } from '../system/programs.ts'

type ProcessManager = ReturnType<typeof createProcessManager>

type RunOptions = { watch: boolean }

/** Runs the whole stack until it is stopped. With `watch`, API and workers restart when a source file changes. */
export async function runStack(options: RunOptions): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = loadConfig()
  const dataDir = createDataDir(resolve(config.DATA_DIR))
  await dataDir.make()
  await openToServices(dataDir.path)
  // Creates the machine id file here, because the API may run as a user without permission to create it.
  await readMachineId(dataDir.path)
  const lock = await lockDataDir(dataDir)
  try {
    await run(config, dataDir, options)
  } finally {
    await lock.release()
  }
  print('Stopped.')
  process.exit()
}

/** `npm start`: runs the whole stack. */
export function main(): Promise<void> {
  return runStack({ watch: false })
}

const stopOrder: PartName[][] = [['api'], ['worker', 'worker-2'], ['temporal'], ['postgres']]

/**
 * Manages the running processes. Stops them in order, and both workers together, so that neither takes over the other's
 * work.
 */
function createProcessManager(onLaunch: (name: PartName, launched: LaunchedProcess) => void) {
  const members = new Map<PartName, SupervisedPart>()
  let isStopping = false
  return {
    start: async (part: Part<PartName>): Promise<void> => {
      if (isStopping) throw new CommandRefusedError(`${part.name} was not started, because Backline is stopping.`)
      const member = supervise(part, (launched) => onLaunch(part.name, launched), print)
      members.set(part.name, member)
      await member.ready
    },
    restart: async (names: PartName[]): Promise<void> => {
      await Promise.all(names.flatMap((name) => members.get(name)?.restart() ?? []))
    },
    stop: async (): Promise<void> => {
      isStopping = true
      for (const names of stopOrder) await Promise.all(names.flatMap((name) => members.get(name)?.stop() ?? []))
    },
  }
}

async function run(config: Config, dataDir: DataDir, { watch }: RunOptions): Promise<void> {
  const stopRequest = awaitStopRequest()
  const state = createLocalState(dataDir)
  const processes = createProcessManager(state.onLaunch)
  await dataDir.removeLocal()
  await stopLeftovers(dataDir, await dataDir.readMarks(), print)
  await requirePorts(listPorts(config))
  const secrets = await dataDir.loadSecrets()
  const stack: Stack = { config, dataDir, secrets, print }
  const metricsPorts = await chooseMetricsPorts(config)
  print('Starting Postgres, Temporal, the worker and the API …')
  try {
    const started = startAll(stack, processes, metricsPorts)
    const stopReason = await Promise.race([stopRequest, started])
    if (stopReason === undefined) {
      const { apiKey } = secrets
      const addresses = listAddresses(config, { apiKey, serverSecret: readServerSecret(stack) })
      const local = await state.publish({
        ...addresses,
        temporalUiUrl: config.TEMPORAL_ADDRESS === undefined ? `http://localhost:${config.TEMPORAL_UI_PORT}` : null,
        metricsUrls: buildMetricsUrls(config, metricsPorts),
      })
      print(formatBanner(local, (performance.now() / 1000).toFixed(1)))
      installFfmpeg(config)
      if (watch) watchSources(() => processes.restart(['worker', 'worker-2', 'api']))
    } else started.catch(() => {})
    print(`Stopping (${await stopRequest}) …`)
  } finally {
    await state.withdraw()
    await processes.stop()
    await state.settled()
  }
}

/** Resolves with the reason to stop: a signal, an internal error, or the exit of the npm process that started this process. */
function awaitStopRequest(): Promise<string> {
  return new Promise((resolve) => {
    let requestedAt: number | undefined
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(name, () => {
        requestedAt ??= performance.now()
        // Under npm, a single Ctrl-C arrives twice. A signal more than one second later exits immediately.
        if (performance.now() - requestedAt > 1000) process.exit(1)
        resolve(name)
      })
    process.on('uncaughtException', (error) => {
      console.error(error)
      process.exitCode = 1
      resolve('internal error')
    })
    if (process.env['npm_command'] === undefined) return
    const parent = process.ppid
    setInterval(() => process.ppid !== parent && resolve('npm has exited'), 500).unref()
  })
}

async function startAll(stack: Stack, processes: ProcessManager, metricsPorts: MetricsPorts): Promise<void> {
  const { config } = stack
  const serverSecret = readServerSecret(stack)
  const [{ databaseUrl, demoAccountId }, temporalAddress, built, user] = await Promise.all([
    startDatabase(stack, processes, serverSecret),
    startEngine(stack, processes),
    buildApart(),
    prepareServiceUser(config, stack.dataDir.path, print),
    ['auto', 'bubblewrap'].includes(config.SANDBOX_PROVIDER) ? ensureBubblewrap(print) : undefined,
  ])
  const addresses: Addresses = { databaseUrl, temporalAddress, serverSecret, user, metricsPorts, demoAccountId }
  await Promise.all([
    processes.start(workerPart(stack, addresses, built)),
    processes.start(apiPart(stack, addresses, built)),
  ])
  if (config.SPARE_WORKER)
    processes
      .start(workerPart(stack, addresses, built, 'worker-2'))
      .catch((error: unknown) => print(`The spare worker did not start: ${readMessage(error)}`))
}

function readServerSecret({ config, secrets }: Stack): string {
  return config.SERVER_SECRET ?? secrets.serverSecret
}

async function startDatabase(
  stack: Stack,
  processes: ProcessManager,
  serverSecret: string,
): Promise<Pick<Addresses, 'databaseUrl' | 'demoAccountId'>> {
  const { DATABASE_URL: external, DATABASE_MIGRATION_URL: owner = external } = stack.config
  const embedded = postgresPart(stack)
  if (external === undefined) await processes.start(embedded)
  const urls =
    external === undefined || owner === undefined ? embedded.urls : { ownerUrl: owner, applicationUrl: external }
  const demoAccountId = await prepareDatabase(stack, urls, serverSecret)
  return { databaseUrl: urls.applicationUrl, demoAccountId }
}

async function startEngine(stack: Stack, processes: ProcessManager): Promise<string> {
  const { config } = stack
  if (config.TEMPORAL_ADDRESS !== undefined) return config.TEMPORAL_ADDRESS
  const ui = { host: hiddenHost(), port: await freePort() }
  await processes.start(temporalPart(stack, await ensureCli(config.TEMPORAL_CLI, print), ui))
  await openTemporalUi(config.TEMPORAL_UI_PORT, ui)
  return `127.0.0.1:${config.TEMPORAL_PORT}`
}

/** Installs ffmpeg in the background. Until then, tracks are WAV files and videos fail. */
function installFfmpeg(config: Config): void {
  if (config.RENDER_PROVIDER !== 'embedded' || config.FFMPEG_PATH !== undefined) return
  ensureFfmpeg(print).catch((error: unknown) => print(`Installing ffmpeg failed: ${readMessage(error)}`))
}

function buildMetricsUrls(config: Config, ports: MetricsPorts): LocalFile['metricsUrls'] {
  const build = (port: number): string => `${localOrigin(config, port)}/metrics`
  const { api, worker, 'worker-2': spare } = ports
  return {
    api: build(api),
    ...(worker !== undefined && { worker: build(worker) }),
    ...(spare !== undefined && { 'worker-2': build(spare) }),
  }
}
