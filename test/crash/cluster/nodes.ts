import { connect, type Pool } from '../../../db/postgres/client.ts'
import type { BuildOutput } from '../../../dev/commands/build.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import type { Print } from '../../../dev/say.ts'
import { keepAlive, type Member } from './member.ts'
import { createPartLog, type PartLog } from './part-log.ts'
import { apiStart, isApi, isWorker, machineEnvironment, workerStart, type NodePartId } from './parts.ts'
import { startProxy, type FaultProxy } from './proxy.ts'

/** The connections of one process to its servers. */
export type Ways = { postgres: FaultProxy; temporal: FaultProxy }

/** A Postgres session. */
export type Backend = { pid: number; name: string }

export type Node = { member: Member; log: PartLog; ways: Ways; port: number }

export type NodeOptions = {
  postgresPort: number
  temporal: { port: number; hosts: readonly string[] }
  databaseUrl: (port: number) => string
  applicationUrl: (port: number) => string
  /** Environment of every process, whatever else a cluster sets. */
  settings: Record<string, string>
  say: Print
}

/** Creates the workers and APIs of a cluster, each with its own fault proxies to Postgres and Temporal. */
export const createNodes = ({ postgresPort, temporal, databaseUrl, applicationUrl, settings, say }: NodeOptions) => {
  const nodes = new Map<NodePartId, Node>()
  const oldTroubles: string[] = []
  // Its pool connects on first use, so Postgres need not run yet.
  const observer: Pool = connect({ url: databaseUrl(postgresPort), max: 4, name: 'observer' })

  const get = (part: NodePartId): Node => {
    const node = nodes.get(part)
    if (node === undefined) throw new Error(`no part ${part}`)
    return node
  }

  const start = async (
    part: NodePartId,
    built: BuildOutput,
    ownSettings: Record<string, string> = {},
  ): Promise<void> => {
    const ways: Ways = {
      postgres: await startProxy({ port: postgresPort }),
      temporal: await startProxy(temporal),
    }
    const log = createPartLog()
    const port = await freePort()
    const env = {
      ...machineEnvironment(),
      DATABASE_URL: applicationUrl(ways.postgres.port),
      DATABASE_POOL: '5',
      TEMPORAL_ADDRESS: `127.0.0.1:${ways.temporal.port}`,
      WORKFLOW_BUNDLE: built.workflowBundle,
      PORT: String(port),
      ...settings,
      ...ownSettings,
    }
    const begin = isApi(part) ? apiStart(part, built.server, env, log) : workerStart(part, built.worker, env, log)
    const member = keepAlive(part, begin, say)
    nodes.set(part, { member, log, ways, port })
    await member.ready.catch((error: unknown) => {
      throw new Error(`${part} did not start:\n${log.text()}`, { cause: error })
    })
  }

  const close = async (part: NodePartId): Promise<void> => {
    const { member, ways, log } = get(part)
    for (const way of Object.values(ways)) way.heal()
    await member.stop()
    await Promise.all([ways.postgres.close(), ways.temporal.close()])
    oldTroubles.push(...log.troubles)
    nodes.delete(part)
  }

  const backends = (part: NodePartId): Promise<Backend[]> =>
    observer<Backend[]>`
      select pid, application_name as name from pg_stat_activity
      where client_port = any(${get(part).ways.postgres.connections()}::int[])`

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
    troubles: (): string[] => [...oldTroubles, ...[...nodes.values()].flatMap(({ log }) => log.troubles)],
  }
}
