import { randomInt } from 'node:crypto'
import { connectSingle, type Db } from './client.ts'
import { retryWhileDatabaseDown } from './retry.ts'

/** A session-level advisory lock of a process. It is released as soon as the process dies. */
export type ProcessLock = {
  /** Key of the lock. Rows with this key belong to this process. */
  readonly processId: number
  /**
   * False while the lock is not held, and for three seconds after it was reacquired, because other live processes may still
   * be reacquiring their locks.
   */
  settled(): boolean
  /** False while the connection of the lock is lost. */
  held(): boolean
  close(): Promise<void>
}

const retryIntervalMs = 250
const settlingMs = 3000

/** Opens a lock without acquiring it. Until it is acquired, rows with its key are treated as rows of a dead process. */
export function openProcessLock(url: string): ProcessLock & { acquire(): Promise<void> } {
  const processId = randomInt(1, 2 ** 48 - 1)
  const state = { held: false, closing: false, isReacquiring: false, since: Number.NEGATIVE_INFINITY }
  const sql = connectSingle({
    url,
    name: `backline lock ${processId}`,
    onclose: () => {
      state.held = false
      if (!state.closing) void reacquire()
    },
  })
  const acquire = async (): Promise<void> => {
    await sql`select pg_advisory_lock(${processId}::bigint)`
    state.held = true
  }
  const reacquire = async (): Promise<void> => {
    if (state.isReacquiring) return
    state.isReacquiring = true
    while (!state.held && !state.closing) {
      try {
        await acquire()
        state.since = performance.now()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, retryIntervalMs))
      }
    }
    state.isReacquiring = false
  }
  return {
    processId,
    acquire: () => retryWhileDatabaseDown(acquire),
    held: () => state.held,
    settled: () => state.held && performance.now() - state.since > settlingMs,
    close: async () => {
      state.closing = true
      await sql.end({ timeout: 1 })
    },
  }
}

/** Opens a lock and acquires it. Reacquires it each time its connection is lost. */
export async function holdProcessLock(url: string): Promise<ProcessLock> {
  const lock = openProcessLock(url)
  await lock.acquire()
  return lock
}

/** Returns whether the lock of this process id is free. */
export async function isProcessDead(db: Db, processId: number): Promise<boolean> {
  const [row] = await db<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${processId}::bigint) as free`
  return row?.free === true
}
