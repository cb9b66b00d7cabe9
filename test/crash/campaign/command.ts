import { EventEmitter } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandRefusedError } from '../../../dev/say.ts'
import { startCluster, type Cluster, type ClusterOptions } from '../cluster/cluster.ts'
import { createExternalServices, type ExternalServices } from '../external-services/services.ts'

/** Parses `--name value` and `--name` into an object. Throws a CommandRefusedError for an unknown argument. */
export const readArguments = (args: string[], names: readonly string[]): Record<string, string | undefined> => {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  try {
    return parseArgs({ args, options: { ...options, help: { type: 'boolean' } }, strict: true }).values as Record<
      string,
      string
    >
  } catch (error) {
    throw new CommandRefusedError(error instanceof Error ? error.message : String(error))
  }
}

export const readCount = (name: string, value: string | undefined, defaultCount: number): number => {
  const count = value === undefined ? defaultCount : Number(value)
  if (!Number.isSafeInteger(count) || count < 0) throw new CommandRefusedError(`--${name} must be a whole number.`)
  return count
}

/** Returns a seed of 32 bits, which is printed without rounding. */
export const newSeed = (): number => Math.floor(Math.random() * 2 ** 32)

/** Returns a promise `ended` that rejects after a stop signal or an unhandled error. */
export const awaitEnd = (): { ended: Promise<never>; dispose: () => void } => {
  const failed = new EventEmitter()
  const ended = new Promise<never>((_, reject) => failed.once('end', reject))
  ended.catch(() => {})
  const end = (error: Error): boolean => failed.emit('end', error)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  // Under npm, one Ctrl-C arrives twice, so the listeners remain until everything is closed.
  const onSignal = (signal: NodeJS.Signals): boolean => end(new CommandRefusedError(`Stopped by ${signal}.`))
  const onError = (error: unknown): boolean => end(error instanceof Error ? error : new Error(String(error)))
  for (const signal of signals) process.on(signal, onSignal)
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onError)
  return {
    ended,
    dispose: () => {
      for (const signal of signals) process.off(signal, onSignal)
      process.off('uncaughtException', onError)
      process.off('unhandledRejection', onError)
    },
  }
}

/** Exits the process. Node 20 may otherwise wait forever for a socket that was reset. */
export const conclude = (isSuccess: boolean): never => process.exit(isSuccess ? 0 : 1)

/** Runs `work` with a new cluster and new external services, and then closes them, even after an error or a signal. */
export const withCluster = async <T>(
  options: Omit<ClusterOptions, 'folder' | 'modelUrl'>,
  work: (cluster: Cluster, services: ExternalServices) => Promise<T>,
): Promise<T> => {
  const { ended, dispose } = awaitEnd()
  const services = await createExternalServices()
  const folder = await mkdtemp(join(tmpdir(), 'backline-cluster-'))
  const starting = startCluster({ ...options, folder, modelUrl: services.modelUrl })
  const working = starting.then((cluster) => work(cluster, services))
  try {
    return await Promise.race([working, ended])
  } finally {
    working.catch(() => {})
    const cluster = await starting.catch(() => undefined)
    const leftovers = (await cluster?.close()) ?? []
    for (const line of leftovers) options.log?.(`killed a leftover process: ${line}`)
    await services.close()
    dispose()
  }
}
