import { lockStream, stopStream } from '../log/stream.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { isLive, lockRun, type Run } from '../runs/runs.ts'

/**
 * Records the stop and closes the log to every writer except the finalizer, in one transaction. Returns the locked run;
 * undefined when it does not exist.
 */
export async function requestStop(tx: Tx, id: string): Promise<Run | undefined> {
  // Locks the log before the run, in the order of every writer, to avoid a deadlock.
  await lockStream(tx, id)
  const run = await lockRun(tx, id)
  if (run === undefined || !isLive(run.status)) return run
  await tx`update runs set stop_requested_at = coalesce(stop_requested_at, now()) where id = ${id}`
  await stopStream(tx, id)
  return run
}

/** Returns the ids of the runs for which a stop is recorded. */
export async function listStopped(db: Db, runIds: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from runs where id = any(${runIds}::text[]) and stop_requested_at is not null`
  return rows.map(({ id }) => id)
}
