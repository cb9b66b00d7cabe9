import { placesOfAccount } from '../../domain/runs/places.ts'

/** A head start that ended its run so long ago is not counted any more: its activity was lost, or the workflow was cancelled. */
const forgottenMs = 10_000

/**
 * Counts the turns that this process began and that the engine has not brought yet. One that its head start has ended counts
 * too: it still costs the engine a workflow, and without the bound workflows would pile up behind a fast model. `atOnce`: the
 * bound, of which one account has its share.
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
    /** The batch is over. One that leaves the run open counts no more: the engine continues it. */
    end: (runId: string, endedRun: boolean): void => {
      const turn = ahead.get(runId)
      if (turn === undefined) return
      if (endedRun) turn.endedAt = now()
      else ahead.delete(runId)
    },
    /** The engine has brought the turn, here or to another process. True when it was begun here. */
    arrive: (runId: string): boolean => ahead.delete(runId),
  }
}
