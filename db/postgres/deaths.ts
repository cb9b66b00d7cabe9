import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { connectSingle, type Db, type Pool } from './client.ts'

/*
 * A process that dies releases its locks, and Postgres notifies a process that waits for one of them immediately.
 * A waiting statement keeps Postgres from vacuuming newer rows, so the wait is split into short rounds.
 */
const roundMs = 1000
const pauseMs = 250
/** Time within which a living process reacquires a lost lock. */
const retakingMs = 50

const watchName = 'backline watch'
const placeName = 'backline place'

/**
 * Calls `onDeath` when the neighbor of this process releases its process lock. The neighbor is the process with the
 * next number, so the processes watch each other in a ring, with one connection each.
 */
export function watchNeighbor(url: string, processId: number, onDeath: () => void): { close(): Promise<void> } {
  const line = openLine(url, `${watchName} ${processId}`)
  const watch = async (): Promise<void> => {
    while (!line.isClosed()) {
      const neighbor = await line.ask((sql) => findNeighbor(sql, processId))
      if (neighbor === undefined) await line.pause(roundMs)
      else if (await line.wait((sql) => sql`select pg_advisory_xact_lock_shared(${neighbor}::bigint)`)) {
        await line.pause(retakingMs)
        if (!line.isClosed()) onDeath()
        // A living process without its lock is watched too, with pauses.
        await line.pause(pauseMs)
      }
    }
  }
  const watching = watch()
  return {
    close: async () => {
      await line.close()
      await watching
    },
  }
}

/** A place that only one process holds at a time, until it closes or dies. */
export type SingletonLock = {
  /** Takes the place if it is free. Returns whether this session holds it. */
  tryTake(): Promise<boolean>
  /** Takes the place when its holder has died. */
  take(): Promise<void>
  close(): Promise<void>
}

/**
 * The place of the worker that runs the sweeps of the fleet. There is one for each set of sweeps: while builds with
 * different sweeps run beside each other, one worker of each build runs its own.
 */
export function openSweeperPlace(url: string, sweeps: readonly string[]): SingletonLock {
  return openNamedPlace(url, sweeps.join(' '), 'backline sweeper')
}

export function openPlace(url: string, name: string): SingletonLock {
  return openNamedPlace(url, name, placeName)
}

function openNamedPlace(url: string, name: string, connectionName: string): SingletonLock {
  const line = openLine(url, `${connectionName} ${process.pid}`)
  const key = `${connectionName} ${name}`
  return {
    tryTake: async () => {
      const rows = await line.ask(
        (sql) => sql<{ taken: boolean }[]>`select pg_try_advisory_lock(hashtextextended(${key}, 0)) as taken`,
      )
      return rows?.[0]?.taken === true
    },
    take: async () => {
      while (!(await line.wait((sql) => sql`select pg_advisory_lock(hashtextextended(${key}, 0))`)));
    },
    close: () => line.close(),
  }
}

/** Returns whether the process of this machine holds its place or waits for it. */
export async function findPlace(db: Db, pid: number): Promise<'held' | 'awaited' | undefined> {
  const [row] = await db<{ granted: boolean }[]>`
    select granted from pg_stat_activity join pg_locks using (pid)
    where application_name = ${`${placeName} ${pid}`} and locktype = 'advisory'`
  return row === undefined ? undefined : row.granted ? 'held' : 'awaited'
}

type Line = {
  ask<T>(question: (sql: Pool) => Promise<T>): Promise<T | undefined>
  /** Resolves with true when the lock was acquired, false when the round timed out. */
  wait(lock: (sql: Pool) => Promise<unknown>): Promise<boolean>
  pause(ms: number): Promise<void>
  isClosed(): boolean
  close(): Promise<void>
}

function openLine(url: string, name: string): Line {
  const sql = connectSingle({ url, name, lockTimeoutMs: roundMs })
  const closing = new AbortController()
  const pause = (ms: number): Promise<void> => setTimeout(ms, undefined, { signal: closing.signal }).catch(() => {})
  const ask = async <T>(question: (sql: Pool) => Promise<T>): Promise<T | undefined> => {
    try {
      return await question(sql)
    } catch (error) {
      if (!isRoundOver(error)) await pause(pauseMs)
      return undefined
    }
  }
  return {
    ask,
    wait: async (lock) => (await ask(lock)) !== undefined,
    pause,
    isClosed: () => closing.signal.aborted,
    close: async () => {
      closing.abort()
      // Does not wait for the round: it ends with its session.
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
