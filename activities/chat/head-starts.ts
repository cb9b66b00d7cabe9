import { placesOfAccount } from '../../domain/runs/places.ts'

/**
 * A head start that ended its run this long ago no longer counts: its activity was lost or the workflow was cancelled.
 */
const forgottenMs = 10_000

/**
 * Counts the turns that this process started and whose activity has not arrived. A turn that its head start has ended
 * still counts, because it costs the engine a workflow, and workflows would otherwise pile up behind a fast model.
 * `atOnce`: the limit, of which one account may use its share.
 */
export function createHeadStarts(atOnce: number, now = (): number => performance.now()) {
  const ahead = new Map<string, { accountId: string; endedAt: number | undefined }>()

  const forget = (): void => {
    for (const [runId, { endedAt }] of ahead)
      if (endedAt !== undefined && now() - endedAt >= forgottenMs) ahead.delete(runId)
  }

  return {
    isFull: (accountId: string): boolean => {
      forget()
      const own = [...ahead.values()].filter((turn) => turn.accountId === accountId)
      return ahead.size >= atOnce || own.length >= placesOfAccount(atOnce)
    },
    begin: (runId: string, accountId: string): void => void ahead.set(runId, { accountId, endedAt: undefined }),
    /** The batch is over. If it leaves the run open, it no longer counts, because the engine continues the run. */
    end: (runId: string, endedRun: boolean): void => {
      const turn = ahead.get(runId)
      if (turn === undefined) return
      if (endedRun) turn.endedAt = now()
      else ahead.delete(runId)
    },
    /**
     * The activity of the turn has arrived, in this process or another. Returns true if this process had started it.
     */
    arrive: (runId: string): boolean => ahead.delete(runId),
  }
}
