import { headStartAttempt } from '../../../domain/chat/turns.ts'
import { failedHeadStart, fenceOf } from '../../log/attempts.ts'
import type { Db } from '../../postgres/client.ts'

/** What a finished head start left behind: the end of its step, or a call that another attempt makes. */
export type LeftHeadStart = { ended: boolean; failed: boolean }

/** What a head start left behind; undefined while another process runs it. */
export async function findLeftHeadStart(db: Db, runId: string, self: number): Promise<LeftHeadStart | undefined> {
  const [row] = await db<(LeftHeadStart & { atWork: boolean })[]>`
    select fence = ${fenceOf(0, headStartAttempt)} and state = 'open' and holder is not null and holder <> ${self} as at_work,
      fence > ${fenceOf(0, headStartAttempt)} or state <> 'open'
        or exists (select from run_steps where run_steps.run_id = stream_head.run_id and step = 0) as ended,
      ${failedHeadStart(db)} is not null as failed
    from stream_head where run_id = ${runId}`
  if (row === undefined) return { ended: true, failed: false }
  return row.atWork ? undefined : row
}
