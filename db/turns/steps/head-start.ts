import { headStartAttempt } from '../../../domain/chat/turns.ts'
import { fenceOf } from '../../log/attempts.ts'
import type { Db } from '../../postgres/client.ts'

/** What a head start that is not at work any more has left: the end of its step, or a call for somebody else to make. */
export type LeftHeadStart = { ended: boolean; failures: number; failed: boolean }

/** What a head start has left; undefined while another process has it in hand. */
export async function findLeftHeadStart(db: Db, runId: string, self: number): Promise<LeftHeadStart | undefined> {
  const [row] = await db<(LeftHeadStart & { atWork: boolean })[]>`
    select fence = ${fenceOf(0, headStartAttempt)} and state = 'open' and holder is not null and holder <> ${self} as at_work,
      fence > ${fenceOf(0, headStartAttempt)} or state <> 'open'
        or exists (select from run_steps where run_steps.run_id = stream_head.run_id and step = 0) as ended,
      failures, coalesce(abandoned_reason, '') in ('model_error', 'timeout') as failed
    from stream_head where run_id = ${runId}`
  if (row === undefined) return { ended: true, failures: 0, failed: false }
  return row.atWork ? undefined : row
}
