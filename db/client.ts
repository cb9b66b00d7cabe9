import postgres from 'postgres'
import { withWholeResults } from './whole-results.ts'

export type Pool = postgres.Sql<{ bigint: number }>
export type Tx = postgres.TransactionSql<{ bigint: number }>
/** A pool or a transaction on it: what every query takes as its first argument. */
export type Db = Pool | Tx

export type PoolOptions = { url: string; max?: number; name?: string; statementTimeoutMs?: number }

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

/** `json` and `jsonb` come back as text where the bytes matter and as values elsewhere: queries cast when they need text. */
export const connect = ({ url, max = 10, name = 'backline', statementTimeoutMs = 30_000 }: PoolOptions): Pool =>
  withWholeResults(
    postgres(url, {
      max,
      idle_timeout: 60,
      connect_timeout: 10,
      onnotice: () => {},
      types: { bigint },
      connection: { application_name: name, statement_timeout: statementTimeoutMs },
    }),
  )

/** One connection that is never idled out or recycled: for locks, LISTEN and the group commit. */
export const connectSingle = ({ url, name, onclose }: { url: string; name: string; onclose?: () => void }): Pool =>
  withWholeResults(
    postgres(url, {
      max: 1,
      idle_timeout: 0,
      max_lifetime: null,
      connect_timeout: 10,
      backoff: (attempt) => Math.min(0.1 * attempt, 1),
      onnotice: () => {},
      ...(onclose === undefined ? {} : { onclose }),
      types: { bigint },
      connection: { application_name: name },
    }),
  )
