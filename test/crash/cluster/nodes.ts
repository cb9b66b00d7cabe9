import { connect, type Pool } from '../../../db/postgres/client.ts'
import type { BuildOutput } from '../../../dev/commands/build.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import type { Print } from '../../../dev/say.ts'
import { keepAlive, type Member, type Start } from './member.ts'
import { createPartLog, type PartLog } from './part-log.ts'
import { apiStart, isApi, isWorker, machineEnvironment, workerStart, type NodePartId } from './parts.ts'
import { startProxy, type FaultProxy } from './proxy.ts'

/** Fault proxies of one process to its servers. */
export type Proxies = { postgres: FaultProxy; temporal: FaultProxy }

/** A Postgres session. */
export type Backend = { pid: number; name: string }

/** `built`: the build of the next start. */
export type Node = { member: Member; log: PartLog; proxies: Proxies; port: number; built: BuildOutput }

export type NodeOptions = {
  postgresPort: number
  temporal: { port: number; hosts: readonly string[] }
  databaseUrl: (port: number) => string
  applicationUrl: (port: number) => string
  /** Environment variables of every process. */
  settings: Record<string, string>
  say: Print
}

/** Creates the workers and APIs of a cluster, each with separate fault proxies to Postgres and Temporal. */
export const createNodes = ({ postgresPort, temporal, databaseUrl, applicationUrl, settings, say }: NodeOptions) => {
  const nodes = new Map<NodePartId, Node>()
  const closedNodeErrorLines: string[] = []
  // Postgres is not running yet. The pool connects when it is first used.
  const observer: Pool = connect({ url: databaseUrl(postgresPort), max: 4, name: 'observer' })

  const get = (part: NodePartId): Node => {
    const node = nodes.get(part)
    if (node === undefined) throw new Error(`no part ${part}`)
    return node
  }

  const start = async (
    part: NodePartId,
    built: BuildOutput,
    partSettings: Record<string, string> = {},
  ): Promise<void> => {
    const proxies: Proxies = {
      postgres: await startProxy({ port: postgresPort }),
      temporal: await startProxy(temporal),
    }
    const log = createPartLog()
    const port = await freePort()
    const env = {
      ...machineEnvironment(),
      DATABASE_URL: applicationUrl(proxies.postgres.port),
      DATABASE_POOL: '5',
      TEMPORAL_ADDRESS: `127.0.0.1:${proxies.temporal.port}`,
      PORT: String(port),
      ...settings,
      ...partSettings,
    }
    const begin: Start = (onLaunch) => {
      const { server, worker, workflowBundle } = nodes.get(part)?.built ?? built
      const buildEnv = { ...env, WORKFLOW_BUNDLE: workflowBundle }
      return (isApi(part) ? apiStart(part, server, buildEnv, log) : workerStart(part, worker, buildEnv, log))(onLaunch)
    }
    const member = keepAlive(part, begin, say)
    nodes.set(part, { member, log, proxies, port, built })
    await member.ready.catch((error: unknown) => {
      throw new Error(`${part} did not start:\n${log.text()}`, { cause: error })
    })
  }

  const close = async (part: NodePartId): Promise<void> => {
    const { member, proxies, log } = get(part)
    for (const proxy of Object.values(proxies)) proxy.heal()
    await member.stop()
    await Promise.all([proxies.postgres.close(), proxies.temporal.close()])
    closedNodeErrorLines.push(...log.errorLines)
    nodes.delete(part)
  }

  const backends = (part: NodePartId): Promise<Backend[]> =>
    observer<Backend[]>`
      select pid, application_name as name from pg_stat_activity
      where client_port = any(${get(part).proxies.postgres.connections()}::int[])`

  return {
    observer,
    get,
    start,
    close,
    backends,
    ids: (): NodePartId[] => [...nodes.keys()],
    workers: (): NodePartId[] => [...nodes.keys()].filter(isWorker),
    apis: (): NodePartId[] => [...nodes.keys()].filter(isApi),
    closeAll: async (): Promise<void> => {
      await Promise.all([...nodes.keys()].map(close))
      await observer.end({ timeout: 1 })
    },
    errorLines: (): string[] => [...closedNodeErrorLines, ...[...nodes.values()].flatMap(({ log }) => log.errorLines)],
  }
}
