import type { Tx } from '../../db/postgres/client.ts'
import { listLiveRuns } from '../../db/runs/runs.ts'
import { lockSession } from '../../db/sessions/sessions.ts'
import type { SessionRow } from '../../domain/sessions/sessions.ts'
import type { StopDeps } from '../deps.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { stopRuns, stopTimeoutMs } from './stop.ts'

/**
 * Stops the live runs of the session (or of `chatId` only), and then calls `write` in a transaction that locks the session. No
 * run can start in between, because accepting a run requires the same lock. If a run does not end in time, throws 504 and
 * does not write. `admit` is called once, under the lock and before a run is stopped. It throws to reject the write.
 */
export async function withNoLiveRuns<T>(
  deps: StopDeps,
  {
    sessionId,
    chatId,
    admit = () => {},
  }: { sessionId: string; chatId?: string; admit?: (session: SessionRow) => void },
  write: (tx: Tx, session: SessionRow) => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + stopTimeoutMs
  let isAdmitted = false
  let written: { result: T } | undefined
  for (;;) {
    const liveRunIds = await deps.db.begin(async (tx) => {
      const session = await lockSession(tx, sessionId)
      if (session === undefined) throw notFound('Session')
      if (!isAdmitted) admit(session)
      isAdmitted = true
      const runs = await listLiveRuns(tx, chatId === undefined ? { sessionId } : { chatId })
      if (runs.length === 0) written = { result: await write(tx, session) }
      return runs.map((run) => run.id)
    })
    if (written !== undefined) return written.result
    const remainingMs = deadline - Date.now()
    if (remainingMs <= 0 || (await stopRuns(deps, liveRunIds, remainingMs)) !== 'stopped')
      throw new ApiError('timeout', 'Run did not stop in time', { retryAfter: 2 })
  }
}
