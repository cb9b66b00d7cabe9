import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { silentAfterSeconds } from '../../domain/operator/fleet.ts'
import { connectSingle, type Db, type Pool, type Tx } from './client.ts'

/*
 * When a process dies, Postgres releases its locks and immediately grants them to waiting processes. A waiting statement
 * prevents vacuuming of newer rows, so the wait is split into rounds of one transaction each. Shorter rounds would cost an
 * idle fleet more transactions per worker.
 */
const roundIntervalMs = 2500
const pauseMs = 250
/** Time in which a live process reacquires a lost lock. */
const reacquireIntervalMs = 50

const watchName = 'backline watch'
const singletonName = 'backline place'
const sweeperName = 'backline sweeper'

type NeighborEvents = {
  onDeath: () => void
  /** Runs at the start of each round, in the transaction of the round. */
  onRound?: (tx: Tx) => Promise<void>
}

/**
 * Calls `onDeath` when the neighbor of this process releases its process lock or leaves the ring between two rounds. The
 * neighbor is the process with the next higher id, or the lowest id for the last process, so that the processes watch each
 * other in a ring, with one connection each.
 */
export function watchNeighbor(
  url: string,
  processId: number,
  { onDeath, onRound }: NeighborEvents,
): { close(): Promise<void> } {
  const session = openLockSession(url, `${watchName} ${processId}`)
  let neighbor: number | undefined

  /** Returns whether the neighbor died; undefined when the round timed out or failed. */
  const runRound = (): Promise<{ died: boolean } | undefined> =>
    session.query(async (sql) => {
      const died = await sql.begin(async (tx) => {
        await onRound?.(tx)
        const ring = await listRing(tx)
        const hasLeft = neighbor !== undefined && !ring.includes(neighbor)
        neighbor = findNext(ring, processId)
        if (hasLeft) return true
        if (neighbor === undefined) return false
        await tx`select pg_advisory_xact_lock_shared(${neighbor}::bigint)`
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
      // The pause lets a live process that lost its lock join the ring again.
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

/** A lock that one process at a time holds, until the process closes the lock or dies. */
export type SingletonLock = {
  /** Acquires the lock if it is free. Returns whether this session holds it. */
  tryAcquire(): Promise<boolean>
  /** Acquires the lock. Waits until its holder releases it or dies. */
  acquire(): Promise<void>
  close(): Promise<void>
}

export type SweeperLock = SingletonLock & {
  /**
   * Terminates the session that holds the lock if the session's process has stopped reporting, because that process no
   * longer sweeps. Returns whether a session was terminated.
   */
  evictSilent(): Promise<boolean>
}

/**
 * Opens the lock of the worker that runs the sweeps of the fleet. Each set of sweeps has its own lock, so that during a
 * deployment one worker of each build runs the sweeps of its build.
 */
export function openSweeperLock(url: string, processId: number, sweeps: readonly string[]): SweeperLock {
  const { lock, session, key } = openNamedLock(url, sweeps.join(' '), { name: sweeperName, owner: processId })
  return {
    ...lock,
    evictSilent: async () => {
      const terminated = await session.query(
        (sql) => sql`
          select pg_terminate_backend(pg_locks.pid) from pg_locks
          join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid
          join process_reports on process_id = substring(application_name from '[0-9]+$')::bigint
          where locktype = 'advisory' and granted and objsubid = 1
            and database = (select oid from pg_database where datname = current_database())
            and (classid::bigint << 32 | objid::bigint) = hashtextextended(${key}, 0)
            and application_name ~ ${`^${sweeperName} [0-9]+$`}
            and reported_at < now() - make_interval(secs => ${silentAfterSeconds})`,
      )
      return terminated !== undefined && terminated.length > 0
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
    tryAcquire: async () => {
      const rows = await session.query(
        (sql) => sql<{ taken: boolean }[]>`select pg_try_advisory_lock(hashtextextended(${key}, 0)) as taken`,
      )
      return rows?.[0]?.taken === true
    },
    acquire: async () => {
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
  /** Returns true when the lock was acquired; false when the round timed out or failed. */
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
      if (!isLockTimeout(error)) await pause(pauseMs)
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

/** Returns the ids of the processes that watch a neighbor, in ascending order. */
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

function isLockTimeout(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '55P03'
}
