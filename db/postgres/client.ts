import postgres from 'postgres'
import { arrayParameters } from './driver/array-types.ts'
import { withDriverGuard } from './driver/guard.ts'
import { customSocket, toDriverTarget } from './driver/socket.ts'
import type { Pool } from './sql.ts'

export type { Db, Pool, Tx } from './sql.ts'

export type PoolOptions = {
  url: string
  max?: number
  name?: string
  statementTimeoutMs?: number
  /** Time without data after which a connection is treated as lost. Must exceed the duration of any statement. */
  silenceTimeoutMs?: number
  /** Receives server notices, which are dropped by default. */
  onNotice?: (notice: { message?: string }) => void
}

/** Silence timeout for the connections of long-lived processes. Exceeds the statement timeout plus network delays. */
export const databaseSilenceTimeoutMs = 75_000

/** bigint columns (credits, positions) are read as safe integers. Larger values throw instead of being rounded. */
const bigint = {
  to: 20,
  from: [20],
  serialize: (value: number): string => String(value),
  parse: (text: string): number => {
    const value = Number(text)
    if (!Number.isSafeInteger(value)) throw new RangeError('bigint beyond 2^53 in a result')
    return value
  },
}

/**
 * Interval at which the server checks whether the client is still connected. Without it, the statement of a killed
 * process would keep its row locks until the statement timeout.
 */
const clientCheck = { client_connection_check_interval: 500 }

/** Options of all connections. */
const driverOptions = {
  connect_timeout: 10,
  backoff,
  onnotice: () => {},
  types: { ...arrayParameters, bigint },
  fetch_types: false,
  // Converts column names to camelCase, but not JSON keys, which are content.
  transform: { column: { from: postgres.toCamel } },
}

/**
 * Opens a pool of `max` connections for queries and half as many for transactions. `json` and `jsonb` are parsed by
 * default; queries that need the exact text cast the column to text.
 */
export function connect({
  url,
  max = 10,
  name = 'backline',
  statementTimeoutMs = 30_000,
  silenceTimeoutMs,
  onNotice,
}: PoolOptions): Pool {
  const target = toDriverTarget(url)
  const pool = (connections: number): Pool =>
    postgres(target.url, {
      ...driverOptions,
      max: connections,
      idle_timeout: 60,
      ...(onNotice !== undefined && { onnotice: onNotice }),
      connection: { application_name: name, statement_timeout: statementTimeoutMs, ...clientCheck },
      ...customSocket(target, silenceTimeoutMs),
    })
  return withDriverGuard({ queries: pool(max), transactions: pool(Math.ceil(max / 2)) })
}

type SingleOptions = Pick<PoolOptions, 'url' | 'silenceTimeoutMs'> & {
  name: string
  /** Plans each statement once instead of on each execution, for statements whose parameters do not affect the plan. */
  planOnce?: boolean
  onclose?: () => void
  /** Receives the notifications of the channels on which the connection listens. */
  onNotify?: (channel: string, payload: string) => void
  /** Maximum time that a statement waits for a lock. */
  lockTimeoutMs?: number
}

/**
 * Opens a single connection that is never closed as idle or recycled, for locks, LISTEN and the group commit. With
 * `silenceTimeoutMs`, it reconnects after that time without data. A connection that only listens must not set it.
 */
export function connectSingle(options: SingleOptions): Pool {
  const { url, name, planOnce, onclose, onNotify, lockTimeoutMs, silenceTimeoutMs } = options
  const target = toDriverTarget(url)
  const single = postgres(target.url, {
    ...driverOptions,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    ...(onclose === undefined ? {} : { onclose }),
    ...(onNotify === undefined ? {} : { onnotify: onNotify }),
    connection: {
      application_name: name,
      ...clientCheck,
      ...(planOnce === true && { plan_cache_mode: 'force_generic_plan' }),
      ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
      ...(silenceTimeoutMs !== undefined && { statement_timeout: 30_000 }),
    },
    ...customSocket(target, silenceTimeoutMs),
  })
  return withDriverGuard({ queries: single, transactions: single })
}

/**
 * Returns the seconds before the next connection attempt. All connections of a pool increment `failures`. With the driver's
 * default, which grows to 20 s, a large pool would keep waiting after Postgres has recovered.
 */
function backoff(failures: number): number {
  return Math.min(0.1 * failures, 1)
}
