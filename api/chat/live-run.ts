import { findRun, isLive, type Run } from '../../db/runs/runs.ts'
import { releaseSlot } from '../../db/turns/slot.ts'
import type { DbDeps } from '../deps.ts'
import { ApiError, throwAs } from '../http/errors.ts'

/** Returns the live run in the chat's slot. If that run has ended, frees the slot and returns undefined. */
export async function findLiveRunOrFreeSlot(
  deps: DbDeps,
  chatId: string,
  runId: string | null,
): Promise<Run | undefined> {
  if (runId === null) return undefined
  const run = await findRun(deps.db, runId).catch(throwAs(statusUnreadable))
  if (run === undefined) throw statusUnreadable()
  if (isLive(run.status)) return run
  await deps.db.begin((tx) => releaseSlot(tx, chatId, runId))
  return undefined
}

/** Error for a run whose status could not be read. */
export function statusUnreadable(cause?: unknown): ApiError {
  return new ApiError('bad_gateway', 'Run status could not be read', { cause })
}
