import type { Pool } from '../../../db/postgres/client.ts'
import type { BuildOutput } from '../../../dev/commands/build.ts'
import type { Print } from '../../../dev/say.ts'
import type { Machines } from '../fleet/machines.ts'
import type { Fault } from '../records/records.ts'
import type { End } from './member.ts'
import type { Backend, Proxies } from './nodes.ts'
import type { NodePartId, PartId } from './parts.ts'
import type { PartSample } from './samples.ts'
import type { ServerOptions } from './servers.ts'

export type ClusterOptions = {
  /** Number of workers and APIs on one machine. */
  workers?: number
  apis?: number
  /** Machines, each with its own data directory, worker and API, behind a load balancer. */
  machines?: number
  /** `server`: a Temporal server of `members` processes that persists in Postgres. Default: the dev server. */
  engine?: 'dev' | 'server'
  members?: number
  /** `s3`: an S3-compatible object store. Default: the local stores. */
  store?: ServerOptions['store']
  /** Folder of this cluster, with a unique name. Created if absent and removed by `close`. */
  folder: string
  /** Settings of the workers and APIs. They override the settings of every cluster. */
  settings?: Record<string, string>
  /** Ends in `/v1`. Default: the embedded model. */
  modelUrl?: string
  built?: BuildOutput
  /** Receives a line for each death and restart. */
  log?: Print
}

/** A complete deployment of real processes. A part that dies is restarted immediately. */
export type Cluster = {
  /** A connection to the database without a fault proxy, which only faults of Postgres affect. */
  db: Pool
  databaseUrl: string
  temporalAddress: string
  namespace: string
  serverSecret: string
  sandboxRoots: () => string[]
  samples: PartSample[]
  machines: Machines
  /** Address of the load balancer. Undefined without machines. */
  loadBalancerUrl: string | undefined
  /** Base URLs of the APIs that are ready. */
  apiUrls: () => string[]
  parts: () => PartId[]
  workers: () => NodePartId[]
  apis: () => NodePartId[]
  isReady(part: PartId): boolean
  pid(part: PartId): number | undefined
  /** Kills the process of a part. Unless the part is held, it is restarted, and its next start sets `until` of the fault. */
  kill(part: PartId, signal?: NodeJS.Signals): Promise<Fault>
  /** Sends SIGTERM to a part, which is then started again. */
  restart(part: PartId): Promise<End>
  /** Restarts a part with another build. */
  deploy(part: NodePartId, built: BuildOutput): Promise<End>
  /** The build of a part. */
  builtOf(part: NodePartId): BuildOutput
  /** Suspends a process. */
  pause(part: PartId): Promise<number>
  resume(part: PartId): void
  /** Prevents the restart of a part until `release`. */
  hold(part: PartId): void
  release(part: PartId): void
  proxies(part: NodePartId): Proxies
  /** The Postgres sessions of a part. */
  backends(part: NodePartId): Promise<Backend[]>
  /** Adds a worker of this or another build. Resolves when it is ready. */
  addWorker(built?: BuildOutput, settings?: Record<string, string>): Promise<NodePartId>
  /** Sends SIGTERM to a part and does not restart it. */
  retire(part: NodePartId): Promise<End>
  /** Resolves when every part responds. */
  untilReady(timeoutMs?: number): Promise<void>
  /** Returns at least the last output lines of a part. */
  output(part: PartId): Promise<string>
  /** Lines of any part that report an unhandled rejection, an uncaught exception or a fatal error. */
  errorLines(): string[]
  /** Ends all processes and removes the folder. Resolves to the leftover processes that it killed. */
  close(): Promise<string[]>
}
