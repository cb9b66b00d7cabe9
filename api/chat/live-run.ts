import { z } from 'zod'
import { findRun, isLive, type Run } from '../../db/runs/runs.ts'
import { releaseSlot } from '../../db/turns/slot.ts'
import type { DbDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { mebibytes } from '../http/route.ts'
import { chatTag } from './tag.ts'

const params = z.object({ chatId: z.guid('chatId must be a UUID').toLowerCase() })

/** Defaults of the routes that stream or stop the live run of a chat. */
export const chatRouteDefaults = {
  tag: chatTag,
  auth: 'key-or-bearer',
  ownership: 'The chat must belong to the caller, or to the account named by account_id that the caller may act for.',
  envelope: 'standard',
  bodyLimit: mebibytes(1),
  params,
} as const

/** Returns the live run in the chat's slot. If that run has ended, frees the slot and returns undefined. */
export async function findLiveRunOrFreeSlot(
  deps: DbDeps,
  chatId: string,
  runId: string | null,
): Promise<Run | undefined> {
  if (runId === null) return undefined
  const run = await findRun(deps.db, runId).catch((error: unknown) => {
    throw statusUnreadable(error)
  })
  if (run === undefined) throw statusUnreadable()
  if (isLive(run.status)) return run
  await deps.db.begin((tx) => releaseSlot(tx, chatId, runId))
  return undefined
}

/** Error for a run whose status could not be read. */
export function statusUnreadable(cause?: unknown): ApiError {
  return new ApiError('bad_gateway', 'Run status could not be read', { cause })
}
