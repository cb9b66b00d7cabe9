import postgres from 'postgres'
import { arrayParameters } from './driver/array-types.ts'
import { withDriverGuard } from './driver/guard.ts'
import { ownSocket } from './driver/socket.ts'
import type { Pool } from './sql.ts'

export type { Db, Pool, Tx } from './sql.ts'

export type PoolOptions = {
  url: string
  max?: number
  name?: string
  statementTimeoutMs?: number
  /** Silence on a connection after which it counts as dead: longer than any statement may take. */
  silenceMs?: number
  /** Receives the notices of the server, which are dropped otherwise. */
  onNotice?: (notice: { message?: string }) => void
}

/** For connections of processes that live long: the time of a statement and what a slow network may add. */
export const silenceMs = 75_000

/** bigint columns (credits, positions) are safe integers here; anything beyond is a fault and not a rounding. */
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
 * The server looks this often whether whoever asked is still there: the statement of a killed process, and the rows that
 * it has locked, would else be held until its time is over.
 */
const presence = { client_connection_check_interval: 500 }

/** What all connections have in common. */
const driverOptions = {
  connect_timeout: 10,
  backoff,
  onnotice: () => {},
  types: { ...arrayParameters, bigint },
  fetch_types: false,
  // Rows are read in camelCase. Of columns only: a key within JSON is content.
  transform: { column: { from: postgres.toCamel } },
}

/**
 * `json` and `jsonb` come back as text where the bytes matter and as values elsewhere: queries cast when they need text.
 * Transactions have connections of their own: half as many more.
 */
export function connect({
  url,
  max = 10,
  name = 'backline',
  statementTimeoutMs = 30_000,
  silenceMs,
  onNotice,
}: PoolOptions): Pool {
  const pool = (connections: number): Pool =>
    postgres(url, {
      ...driverOptions,
      max: connections,
      idle_timeout: 60,
      ...(onNotice !== undefined && { onnotice: onNotice }),
      connection: { application_name: name, statement_timeout: statementTimeoutMs, ...presence },
      ...ownSocket(url, silenceMs),
    })
  return withDriverGuard({ queries: pool(max), transactions: pool(Math.ceil(max / 2)) })
}

type SingleOptions = Pick<PoolOptions, 'url' | 'silenceMs'> & {
  name: string
  /** Statements whose parameters change nothing about how they are best done: they are planned once and not each time. */
  planOnce?: boolean
  onclose?: () => void
  /** How long a statement may wait for a lock. */
  lockTimeoutMs?: number
}

/**
 * One connection that is never idled out or recycled: for locks, LISTEN and the group commit. With `silenceMs` it is
 * made anew after a silence, which is for those alone that send and do not listen.
 */
export function connectSingle({ url, name, planOnce, onclose, lockTimeoutMs, silenceMs }: SingleOptions): Pool {
  const single = postgres(url, {
    ...driverOptions,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    ...(onclose === undefined ? {} : { onclose }),
    connection: {
      application_name: name,
      ...presence,
      ...(planOnce === true && { plan_cache_mode: 'force_generic_plan' }),
      ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
      ...(silenceMs !== undefined && { statement_timeout: 30_000 }),
    },
    ...ownSocket(url, silenceMs),
  })
  return withDriverGuard({ queries: single, transactions: single })
}

/**
 * Seconds until a connection is made anew after `failures`, which all connections of a pool add to. The driver's own pause
 * grows to 20, for which a pool that had many connections would go on waiting when Postgres is back.
 */
function backoff(failures: number): number {
  return Math.min(0.1 * failures, 1)
}
