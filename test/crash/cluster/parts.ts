import { cp, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOutput } from '../../../dev/commands/build.ts'
import { launchNode } from '../../../dev/processes/node-part.ts'
import { startPostgres } from '../../../dev/stack/postgres/server.ts'
import { startTemporal } from '../../../dev/stack/temporal/server.ts'
import { awaitReady } from '../../../dev/processes/readiness.ts'
import type { Start } from './member.ts'
import type { PartLog } from './part-log.ts'

export type NodePartId = `worker-${number}` | `api-${number}`
/** `temporal` is the first member of a Temporal server with several members. */
export type ServerPartId = 'postgres' | 'temporal' | `temporal-${number}` | 'store'
export type PartId = ServerPartId | NodePartId

export const isWorker = (part: PartId): part is `worker-${number}` => part.startsWith('worker-')
export const isApi = (part: PartId): part is `api-${number}` => part.startsWith('api-')
export const isNode = (part: PartId): part is NodePartId => isWorker(part) || isApi(part)

const root = fileURLToPath(new URL('../../..', import.meta.url))
const readyTimeoutMs = 120_000

export type Environment = Record<string, string>

/** Returns the environment variables of this process that every process requires. */
export const machineEnvironment = (): Environment =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'XDG_CACHE_HOME'].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    ),
  )

/** Whether a path is a file of a build in progress. */
const isDraft = (path: string): boolean => /^other-build-|\.\d+$/.test(basename(path))

/** Copies a build, so that later builds do not affect the parts of a cluster. */
export const copyBuild = async (built: BuildOutput, folder: string): Promise<BuildOutput> => {
  const copyPath = (path: string): string => join(folder, basename(path))
  await cp(dirname(built.server), folder, { recursive: true, filter: (path) => !isDraft(path) })
  for (const file of [built.worker, built.workflowBundle]) await cp(file, copyPath(file))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return {
    server: copyPath(built.server),
    worker: copyPath(built.worker),
    workflowBundle: copyPath(built.workflowBundle),
  }
}

export const postgresStart =
  (options: { dataDir: string; logFile: string; port: number; password: string }): Start =>
  (onLaunch) =>
    startPostgres({ ...options, onLaunch })

export const temporalStart =
  (options: { cli: string; dataDir: string; logFile: string; port: number; namespace: string }): Start =>
  (onLaunch) =>
    startTemporal({ ...options, onLaunch })

/** Starts a worker and waits until it logs that it is ready. */
export const workerStart =
  (name: string, file: string, env: Environment, log: PartLog): Start =>
  async (onLaunch) => {
    log.beginProcess()
    const worker = await launchNode({ name, file, env, stopWaitMs: 20_000 }, log.write)
    onLaunch(worker)
    return awaitReady(worker, name, async () => log.hasLine('worker is ready'), readyTimeoutMs)
  }

/** Whether the URL responds with a status of 2xx. */
export const respondsOk = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** Starts an API and waits until it listens. An API listens even if Postgres or Temporal is down. */
export const apiStart =
  (name: string, file: string, env: Environment & { PORT: string }, log: PartLog): Start =>
  async (onLaunch) => {
    log.beginProcess()
    const api = await launchNode({ name, file, env, stopWaitMs: 15_000 }, log.write)
    onLaunch(api)
    return awaitReady(api, name, () => respondsOk(`http://127.0.0.1:${env.PORT}/healthz`), readyTimeoutMs)
  }

const tailBytes = 20_000

export const readTail = async (file: string): Promise<string> =>
  (await readFile(file).catch(() => Buffer.alloc(0))).subarray(-tailBytes).toString('utf8')
