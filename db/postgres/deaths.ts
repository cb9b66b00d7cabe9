import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { connectSingle, type Db, type Pool, type Tx } from './client.ts'

/*
 * When a process dies, its locks are released, and a process that waits for one of them gets it immediately.
 * A waiting statement prevents vacuuming of newer rows, so the wait is split into short rounds. Each round is one
 * transaction, which an idle fleet pays for each of its workers.
 */
const roundIntervalMs = 2500
const pauseMs = 250
/** Time in which a living process reacquires a lost lock. */
const reacquireIntervalMs = 50

const watchName = 'backline watch'
const singletonName = 'backline place'
const sweeperName = 'backline sweeper'

type NeighborEvents = {
  onDeath: () => void
  /** Reads what each round needs to know, in the transaction of the round. */
  onRound?: (tx: Tx) => Promise<void>
}

/**
 * Calls `onDeath` when the neighbor of this process releases its process lock, or has left unobserved. The neighbor is the
 * process with the next higher number, so that the processes watch each other in a ring, with one connection each.
 */
export function watchNeighbor(
  url: string,
  processId: number,
  { onDeath, onRound }: NeighborEvents,
): { close(): Promise<void> } {
  const session = openLockSession(url, `${watchName} ${processId}`)
  let watched: number | undefined

  /** Resolves with the neighbor whose lock was free; undefined when the round ended without a death. */
  const runRound = (): Promise<{ died: boolean } | undefined> =>
    session.query(async (sql) => {
      const died = await sql.begin(async (tx) => {
        await onRound?.(tx)
        const ring = await listRing(tx)
        const hasLeft = watched !== undefined && !ring.includes(watched)
        watched = findNext(ring, processId)
        if (hasLeft) return true
        if (watched === undefined) return false
        await tx`select pg_advisory_xact_lock_shared(${watched}::bigint)`
        return true
      })
      return { died }
    })
  const watch = async (): Promise<void> => {
    while (!session.isClosed()) {
      const round = await runRound()
      if (round?.died === false) await session.pause(roundIntervalMs)
      if (round?.died !== true) continue
      await session.pause(reacquireIntervalMs)
      if (!session.isClosed()) onDeath()
      // A living process that has lost its lock is watched again, after a pause.
      await session.pause(pauseMs)
    }
  }
  const watching = watch()
  return {
    close: async () => {
      await session.close()
      await watching
    },
  }
}

/** A lock that only one process holds at a time, until it closes the lock or dies. */
export type SingletonLock = {
  /** Acquires the lock if it is free. Returns whether this session holds it. */
  tryTake(): Promise<boolean>
  /** Waits for the holder to die or to release the lock, and acquires it. */
  take(): Promise<void>
  close(): Promise<void>
}

export type SweeperLock = SingletonLock & {
  /**
   * Ends the session that holds the lock if its process has not reported for a while, because it does not sweep either.
   * Returns whether it did.
   */
  evictSilent(): Promise<boolean>
}

/** Time without a report after which the worker that holds the sweeper lock loses it. */
const silentSeconds = 15

/**
 * Opens the lock of the worker that runs the sweeps of the fleet. Each set of sweeps has its own lock: while builds with
 * different sweeps run side by side, one worker of each build runs its sweeps.
 */
export function openSweeperLock(url: string, processId: number, sweeps: readonly string[]): SweeperLock {
  const { lock, session, key } = openNamedLock(url, sweeps.join(' '), { name: sweeperName, owner: processId })
  return {
    ...lock,
    evictSilent: async () => {
      const ended = await session.query(
        (sql) => sql`
          select pg_terminate_backend(pg_locks.pid) from pg_locks
          join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid
          join process_reports on process_id = substring(application_name from '[0-9]+$')::bigint
          where locktype = 'advisory' and granted and objsubid = 1
            and database = (select oid from pg_database where datname = current_database())
            and (classid::bigint << 32 | objid::bigint) = hashtextextended(${key}, 0)
            and application_name ~ ${`^${sweeperName} [0-9]+$`}
            and reported_at < now() - make_interval(secs => ${silentSeconds})`,
      )
      return ended !== undefined && ended.length > 0
    },
  }
}

export function openSingletonLock(url: string, name: string): SingletonLock {
  return openNamedLock(url, name, { name: singletonName, owner: process.pid }).lock
}

function openNamedLock(url: string, name: string, connection: { name: string; owner: number }) {
  const session = openLockSession(url, `${connection.name} ${connection.owner}`)
  const key = `${connection.name} ${name}`
  const lock: SingletonLock = {
    tryTake: async () => {
      const rows = await session.query(
        (sql) => sql<{ taken: boolean }[]>`select pg_try_advisory_lock(hashtextextended(${key}, 0)) as taken`,
      )
      return rows?.[0]?.taken === true
    },
    take: async () => {
      while (!(await session.wait((sql) => sql`select pg_advisory_lock(hashtextextended(${key}, 0))`)));
    },
    close: () => session.close(),
  }
  return { lock, session, key }
}

/** Returns whether the process with this pid holds its singleton lock or waits for it. */
export async function findSingletonState(db: Db, pid: number): Promise<'held' | 'awaited' | undefined> {
  const [row] = await db<{ granted: boolean }[]>`
    select granted from pg_stat_activity join pg_locks using (pid)
    where application_name = ${`${singletonName} ${pid}`} and locktype = 'advisory'`
  return row === undefined ? undefined : row.granted ? 'held' : 'awaited'
}

type LockSession = {
  query<T>(statement: (sql: Pool) => Promise<T>): Promise<T | undefined>
  /** Resolves with true when the lock was acquired, false when the round timed out. */
  wait(lock: (sql: Pool) => Promise<unknown>): Promise<boolean>
  pause(ms: number): Promise<void>
  isClosed(): boolean
  close(): Promise<void>
}

function openLockSession(url: string, name: string): LockSession {
  const sql = connectSingle({ url, name, lockTimeoutMs: roundIntervalMs })
  const closing = new AbortController()
  const pause = (ms: number): Promise<void> => setTimeout(ms, undefined, { signal: closing.signal }).catch(() => {})
  const query = async <T>(statement: (sql: Pool) => Promise<T>): Promise<T | undefined> => {
    try {
      return await statement(sql)
    } catch (error) {
      if (!isRoundOver(error)) await pause(pauseMs)
      return undefined
    }
  }
  return {
    query,
    wait: async (lock) => (await query(lock)) !== undefined,
    pause,
    isClosed: () => closing.signal.aborted,
    close: async () => {
      closing.abort()
      // Does not wait for the round, which ends with the session.
      await sql.end({ timeout: 0 })
    },
  }
}

/** Returns the numbers of the processes that watch a neighbor, in ascending order. */
async function listRing(sql: Db): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select distinct cast(substring(application_name from '[0-9]+$') as bigint) as id from pg_stat_activity
    where application_name ~ ${`^${watchName} [0-9]+$`} and datname = current_database()
    order by id`
  return rows.map(({ id }) => id)
}

function findNext(ring: readonly number[], processId: number): number | undefined {
  const others = ring.filter((id) => id !== processId)
  return others.find((id) => id > processId) ?? others[0]
}

function isRoundOver(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '55P03'
}
