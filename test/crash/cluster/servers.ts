import { join } from 'node:path'
import { freePort } from '../../../dev/stack/ports.ts'
import type { Print } from '../../../dev/say.ts'
import { ensureCli } from '../../../dev/stack/temporal/cli.ts'
import { createEngine } from '../fleet/engine.ts'
import { createObjectStore } from '../fleet/store.ts'
import { keepAlive, type Member, type Start } from './member.ts'
import { postgresStart, temporalStart, type ServerPartId } from './parts.ts'

export const password = 'cluster'
export const namespace = 'default'

export type ServerOptions = {
  folder: string
  /** `server`: members of a Temporal server that persist in Postgres. Default: the dev server. */
  engine?: { kind: 'dev' } | { kind: 'server'; members: number }
  /** `s3`: an S3-compatible object store, including repositories. Default: the local stores of the workers and APIs. */
  store?: 'local' | 's3'
  say: Print
}

/** Creates the servers that the workers and APIs of a cluster use. */
export const createServers = async ({ folder, engine = { kind: 'dev' }, store = 'local', say }: ServerOptions) => {
  const members = new Map<ServerPartId, Member>()
  const logFile = (part: ServerPartId): string => join(folder, `${part}.log`)
  const postgresPort = await freePort()
  const temporal = await openEngine()
  const objectStore =
    store === 's3' ? await createObjectStore({ folder: join(folder, 'store'), logFile: logFile('store') }) : undefined

  const keepRunning = (part: ServerPartId, start: Start): Promise<void> => {
    const member = keepAlive(part, start, say)
    members.set(part, member)
    return member.ready
  }

  const startPostgres = (): Promise<void> =>
    keepRunning(
      'postgres',
      postgresStart({
        dataDir: join(folder, 'postgres'),
        logFile: logFile('postgres'),
        port: postgresPort,
        password,
      }),
    )

  async function openEngine() {
    if (engine.kind === 'server') {
      const parts = Array.from({ length: engine.members }, (_, index) => toEnginePart(index + 1))
      const cluster = await createEngine({
        members: engine.members,
        postgres: { port: postgresPort, password },
        namespace,
        logFile: (member) => logFile(toEnginePart(member)),
        say,
      })
      const { port, hosts } = cluster
      const start = async (postgres: Promise<void>): Promise<void> => {
        await postgres
        await cluster.prepare()
        // The first member initializes the shared state.
        await keepRunning('temporal', cluster.start(1))
        await Promise.all(parts.slice(1).map((part, index) => keepRunning(part, cluster.start(index + 2))))
        await cluster.createNamespace()
      }
      return { port, hosts, start }
    }
    const cli = await ensureCli(process.env['TEMPORAL_CLI'], say)
    const port = await freePort()
    const options = { cli, dataDir: folder, logFile: logFile('temporal'), port, namespace }
    return { port, hosts: ['127.0.0.1'], start: () => keepRunning('temporal', temporalStart(options)) }
  }

  return {
    postgresPort,
    temporal: { port: temporal.port, hosts: temporal.hosts },
    /** Settings of the workers and APIs. */
    settings: { ...objectStore?.settings },
    logFile,
    parts: (): ServerPartId[] => [...members.keys()],
    find: (part: string): Member | undefined => members.get(part as ServerPartId),
    /** Starts the servers. `postgres` resolves when Postgres runs, and `all` when every server runs. */
    start: (): { postgres: Promise<void>; all: Promise<void> } => {
      const postgres = startPostgres()
      const others = [
        temporal.start(postgres),
        ...(objectStore === undefined
          ? []
          : [keepRunning('store', objectStore.start).then(() => objectStore.createBucket())]),
      ]
      return { postgres, all: Promise.all([postgres, ...others]).then(() => undefined) }
    },
    /** Stops the servers, with Postgres last because the others use it. */
    stop: async (): Promise<void> => {
      const others = [...members].filter(([part]) => part !== 'postgres')
      await Promise.all(others.map(([, member]) => member.stop()))
      await members.get('postgres')?.stop()
    },
  }
}

const toEnginePart = (member: number): 'temporal' | `temporal-${number}` =>
  member === 1 ? 'temporal' : `temporal-${member}`
