import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { connect, type Pool } from './client.ts'

/** The connection pooler cannot be used. The message names the setting to change. */
export class PoolingError extends Error {
  override readonly name = 'PoolingError'
}

export type DatabaseUrls = {
  /** For queries and transactions. */
  url: string
  /** For locks, LISTEN and log writers, which need a Postgres session. */
  sessionUrl: string
}

const rounds = 3
/** Timeout for a second server connection, which a saturated pooler may not have. */
const inconclusiveMs = 2000

/**
 * SQL states that indicate a lost prepared statement: the statement is missing, or the driver's attempt to prepare it again
 * ran in a failed transaction.
 */
const lostStatement = new Set(['26000', '25P02'])

/** Throws `PoolingError` if a URL points to a connection pooler that lacks a feature that the connections need. */
export async function checkPooling({ url, sessionUrl }: DatabaseUrls): Promise<void> {
  const isShared = url === sessionUrl
  const [mode, sessionMode] = await Promise.all([
    readPoolMode('DATABASE_URL', url),
    isShared ? 'session' : readPoolMode('DATABASE_SESSION_URL', sessionUrl),
  ])
  if (isShared && mode === 'transaction')
    throw new PoolingError(
      'DATABASE_URL points to a connection pooler in transaction mode. Set DATABASE_SESSION_URL to the address of Postgres itself, because locks and LISTEN need a session.',
    )
  if (sessionMode === 'transaction')
    throw new PoolingError(
      'DATABASE_SESSION_URL points to a connection pooler in transaction mode. Set it to the address of Postgres itself, because locks and LISTEN need a session.',
    )
}

/**
 * Returns whether the transactions of a connection share one session. In transaction mode, a pooler assigns its most
 * recently used server connection to the next transaction. The second transaction of the first connection therefore runs on
 * another server connection, where its prepared statement must also exist.
 */
async function readPoolMode(setting: string, url: string): Promise<'session' | 'transaction'> {
  const [probe, blocker] = [1, 2].map(() => connect({ url, max: 1, name: 'backline pool check' })) as [Pool, Pool]
  try {
    for (let round = 0; round < rounds; round++) {
      const first = await readServer(probe)
      const second = await blocker.begin(async (tx) => {
        await tx`select 1`
        return Promise.race([readServer(probe), pause(inconclusiveMs, first, { ref: false })])
      })
      if (second !== first) return 'transaction'
    }
    return 'session'
  } catch (error) {
    throw explainPooler(setting, error) ?? error
  } finally {
    await Promise.all([probe, blocker].map((db) => db.end({ timeout: 1 })))
  }
}

/** Returns the process id of the server connection of a new transaction. */
function readServer(db: Pool): Promise<number | undefined> {
  return db.begin(async (tx) => (await tx<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid)
}

/** Converts the rejection of a pooler to an error that names the setting; undefined for any other error. */
export function explainPooler(setting: string, error: unknown): PoolingError | undefined {
  if (!(error instanceof postgres.PostgresError)) return undefined
  if (lostStatement.has(error.code))
    return new PoolingError(
      `The connection pooler of ${setting} loses prepared statements. Use pgbouncer 1.21 or later, and set its max_prepared_statements to 200 or more.`,
    )
  const parameter = readRejectedParameter(error)
  return parameter === undefined
    ? undefined
    : new PoolingError(
        `The connection pooler of ${setting} rejects the startup parameter ${parameter}. Add it to ignore_startup_parameters of pgbouncer, and set it in its connect_query.`,
      )
}

function readRejectedParameter({ message }: Error): string | undefined {
  return /^unsupported startup parameter: (\w+)/.exec(message)?.[1]
}
