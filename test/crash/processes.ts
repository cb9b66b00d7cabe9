import { inject, onTestFinished } from 'vitest'
import { loadConfig, type Config } from '../../config.ts'
import type { BuildOutput } from '../../dev/commands/build.ts'
import { freePort } from '../../dev/stack/ports.ts'
import type { LaunchedProcess } from '../../dev/processes/processes.ts'
import { startWorker } from '../../workers/run.ts'
import { eventually, type World } from '../world/world.ts'
import type { Start } from './cluster/member.ts'
import { createPartLog, type PartLog } from './cluster/part-log.ts'
import { respondsOk, apiStart, machineEnvironment, workerStart } from './cluster/parts.ts'

/** An API or a worker in a separate process. */
export type Part = {
  pid: number
  /** Returns at least the last lines of its output. */
  output(): string
  /** Sends SIGKILL and waits for the end of the process. */
  kill(): Promise<void>
  /** Sends SIGTERM and waits for the exit code. */
  stop(): Promise<number | null>
}

/** Starts a part and waits until it is ready. The process is killed at the end of the test. */
const startPart = async (log: PartLog, start: Start): Promise<Part> => {
  let launched: LaunchedProcess
  try {
    launched = await start(({ child }) => onTestFinished(() => void child.kill('SIGKILL')))
  } catch (error) {
    throw new Error(`a part did not start:\n${log.text()}`, { cause: error })
  }
  const { child, pid, exited } = launched
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    await exited
    return child.exitCode
  }
  return { pid, output: () => log.text(), kill: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM') }
}

const buildEnvironment = (world: World, built: BuildOutput): Record<string, string> => ({
  ...machineEnvironment(),
  // Without a workflow thread, a worker starts a fifth faster. Workers of clusters have this thread, like deployed workers.
  TEMPORAL_DEBUG: '1',
  DATABASE_URL: world.applicationUrl,
  TEMPORAL_ADDRESS: world.temporalAddress,
  TASK_QUEUE: world.taskQueue,
  WORKFLOW_BUNDLE: built.workflowBundle,
  DATA_DIR: world.config.DATA_DIR,
  SERVER_SECRET: world.config.SERVER_SECRET ?? '',
  LOCAL_MODEL_WORDS_PER_SECOND: String(world.config.LOCAL_MODEL_WORDS_PER_SECOND),
  MODEL_BASE_URL: world.config.MODEL_BASE_URL ?? '',
  WORKFLOW_CACHE: String(world.config.WORKFLOW_CACHE),
  WORKER_GRACE_SECONDS: String(world.config.WORKER_GRACE_SECONDS),
  SANDBOX_PREPARE_SECONDS: String(world.config.SANDBOX_PREPARE_SECONDS),
  SITE: String(world.config.SITE),
  CONSOLE: String(world.config.CONSOLE),
})

/** Starts a worker on the world's task queue. With `WORKFLOW_BUNDLE`, the worker runs the workflows of another build. */
export const startWorkerProcess = (
  world: World,
  settings: Record<string, string> = {},
  built: BuildOutput = inject('built'),
): Promise<Part> => {
  const env = { ...buildEnvironment(world, built), ...settings }
  const log = createPartLog()
  return startPart(log, workerStart('worker', built.worker, env, log))
}

/**
 * Starts a worker in the test process. A worker that is not killed does not require a separate process, whose start
 * takes most of the time.
 */
export const startWorkerInProcess = async (
  world: World,
  settings: Record<string, string> = {},
): Promise<Pick<Part, 'stop'>> => {
  const changed = loadConfig(settings)
  const names = Object.keys(settings) as (keyof Config)[]
  const worker = await startWorker({
    config: {
      ...world.config,
      ...Object.fromEntries(names.map((name) => [name, changed[name]])),
      apiUrl: world.baseUrl,
    },
    databaseUrl: world.applicationUrl,
    temporalAddress: world.temporalAddress,
    taskQueue: world.taskQueue,
    workflowBundle: settings['WORKFLOW_BUNDLE'] ?? inject('built').workflowBundle,
    log: world.deps.log,
  })
  let closing: Promise<number> | undefined
  const stop = (): Promise<number> => (closing ??= worker.close().then(() => 0))
  onTestFinished(() => void stop())
  return { stop }
}

type ApiOptions = {
  /** URL of an earlier API whose port the new API uses. */
  takenOver?: string
  settings?: Record<string, string>
  built?: BuildOutput
}

/** Starts an API on the world's database. `metricsUrl` is the URL of its metrics. */
export const startApiProcess = async (
  world: World,
  { takenOver, settings = {}, built = inject('built') }: ApiOptions = {},
): Promise<Part & { baseUrl: string; metricsUrl: string }> => {
  const port = takenOver === undefined ? await freePort() : Number(new URL(takenOver).port)
  const baseUrl = `http://127.0.0.1:${port}`
  const metricsPort = String(await freePort())
  const env = { ...buildEnvironment(world, built), METRICS_PORT: metricsPort, ...settings, PORT: String(port) }
  const log = createPartLog()
  const part = await startPart(log, apiStart('api', built.server, env, log))
  await eventually('a ready API', async () => ((await respondsOk(`${baseUrl}/readyz`)) ? true : undefined))
  return { ...part, baseUrl, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` }
}
