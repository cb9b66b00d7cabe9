import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { connectSingle, type Db, type Pool } from './client.ts'

/*
 * When a process dies, its locks are released, and a process that waits for one of them gets it immediately.
 * A waiting statement prevents vacuuming of newer rows, so the wait is split into short rounds.
 */
const roundIntervalMs = 1000
const pauseMs = 250
/** Time in which a living process reacquires a lost lock. */
const reacquireIntervalMs = 50

const watchName = 'backline watch'
const singletonName = 'backline place'

/**
 * Calls `onDeath` when the neighbor of this process releases its process lock. The neighbor is the process with the
 * next higher number, so that the processes watch each other in a ring, with one connection each.
 */
export function watchNeighbor(url: string, processId: number, onDeath: () => void): { close(): Promise<void> } {
  const session = openLockSession(url, `${watchName} ${processId}`)
  const watch = async (): Promise<void> => {
    while (!session.isClosed()) {
      const neighbor = await session.query((sql) => findNeighbor(sql, processId))
      if (neighbor === undefined) await session.pause(roundIntervalMs)
      else if (await session.wait((sql) => sql`select pg_advisory_xact_lock_shared(${neighbor}::bigint)`)) {
        await session.pause(reacquireIntervalMs)
        if (!session.isClosed()) onDeath()
        // A living process that has lost its lock is watched again, after a pause.
        await session.pause(pauseMs)
      }
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

/**
 * Opens the lock of the worker that runs the sweeps of the fleet. Each set of sweeps has its own lock: while builds with
 * different sweeps run side by side, one worker of each build runs its sweeps.
 */
export function openSweeperLock(url: string, sweeps: readonly string[]): SingletonLock {
  return openNamedLock(url, sweeps.join(' '), 'backline sweeper')
}

export function openSingletonLock(url: string, name: string): SingletonLock {
  return openNamedLock(url, name, singletonName)
}

function openNamedLock(url: string, name: string, connectionName: string): SingletonLock {
  const session = openLockSession(url, `${connectionName} ${process.pid}`)
  const key = `${connectionName} ${name}`
  return {
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

async function findNeighbor(sql: Pool, processId: number): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`
    select id from pg_stat_activity, cast(substring(application_name from '[0-9]+$') as bigint) as id
    where application_name ~ ${`^${watchName} [0-9]+$`} and datname = current_database() and id <> ${processId}
    order by id < ${processId}, id limit 1`
  return row?.id
}

function isRoundOver(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '55P03'
}
