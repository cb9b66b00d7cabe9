import { randomInt } from 'node:crypto'
import { connectSingle, type Db } from './client.ts'

/** A process's session-level advisory lock: the kernel frees it the moment the process dies. */
export type ProcessLock = {
  /** Key of the lock; rows that name it belong to this process. */
  readonly processId: number
  /** False while the lock's connection is lost and not yet back. */
  held(): boolean
  close(): Promise<void>
}

/** Takes the lock and takes it again after each loss of its connection. */
export const holdProcessLock = async (url: string): Promise<ProcessLock> => {
  const processId = randomInt(1, 2 ** 48 - 1)
  let held = false
  let closing = false
  const sql = connectSingle({
    url,
    name: `backline lock ${processId}`,
    onclose: () => {
      held = false
      if (!closing) void take()
    },
  })
  const take = async (): Promise<void> => {
    while (!held && !closing) {
      try {
        await sql`select pg_advisory_lock(${processId}::bigint)`
        held = true
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
  }
  await sql`select pg_advisory_lock(${processId}::bigint)`
  held = true
  return {
    processId,
    held: () => held,
    close: async () => {
      closing = true
      await sql.end({ timeout: 1 })
    },
  }
}

/** True when nobody holds the lock of this process id. */
export const isProcessDead = async (db: Db, processId: number): Promise<boolean> => {
  const [row] = await db<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${processId}::bigint) as free`
  return row?.free === true
}
