import type { Tx } from '../../db/postgres/client.ts'
import { listLiveRuns } from '../../db/runs/runs.ts'
import { lockSession } from '../../db/sessions/sessions.ts'
import type { SessionRow } from '../../domain/sessions/sessions.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { sessionNotFound } from '../access/owned.ts'
import { stopRuns, stopTimeoutMs } from '../chat/deliver-stop.ts'

/**
 * Calls `write` in a transaction that locks the session, after the live runs of the session (or of one chat) have been stopped.
 * Accepting a run takes the same lock, so none starts in between. Nothing is written when a run does not end in time. `admit`
 * throws to reject the write: called once, under the lock and before any run is stopped.
 */
export async function withNoLiveRuns<T>(
  deps: ApiDeps,
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
    const live = await deps.db.begin(async (tx) => {
      const session = await lockSession(tx, sessionId)
      if (session === undefined) throw sessionNotFound()
      if (!isAdmitted) admit(session)
      isAdmitted = true
      const runs = await listLiveRuns(tx, chatId === undefined ? { sessionId } : { chatId })
      if (runs.length === 0) written = { result: await write(tx, session) }
      return runs.map((run) => run.id)
    })
    if (written !== undefined) return written.result
    const remainingMs = deadline - Date.now()
    if (remainingMs <= 0 || (await stopRuns(deps, live, remainingMs)) !== 'stopped')
      throw new ApiError('timeout', 'Run did not stop in time', { headers: { 'retry-after': '2' } })
  }
}
