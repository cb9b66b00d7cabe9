import type { Advanced } from '../../domain/chat/turns.ts'
import { placesOfAccount } from '../../domain/runs/places.ts'

/**
 * A head start that ended its run this long ago no longer counts: its activity was lost or the workflow was cancelled.
 */
const forgottenMs = 10_000

/** `ended`: when and how its head start ended the run. */
type Ahead = { accountId: string; ended?: { at: number; outcome: Advanced } }

/**
 * Counts the turns that this process started and whose activity has not arrived. A turn that its head start has ended
 * still counts, because it costs the engine a workflow, and workflows would otherwise pile up behind a fast model.
 * `atOnce`: the limit, of which one account may use its share.
 */
export function createHeadStarts(atOnce: number, now = (): number => performance.now()) {
  const ahead = new Map<string, Ahead>()

  const forget = (): void => {
    for (const [runId, { ended }] of ahead)
      if (ended !== undefined && now() - ended.at >= forgottenMs) ahead.delete(runId)
  }

  return {
    isFull: (accountId: string): boolean => {
      forget()
      const own = [...ahead.values()].filter((turn) => turn.accountId === accountId)
      return ahead.size >= atOnce || own.length >= placesOfAccount(atOnce)
    },
    begin: (runId: string, accountId: string): void => void ahead.set(runId, { accountId }),
    /** The batch is over. Unless it has ended the run, it no longer counts, because the engine continues the run. */
    end: (runId: string, outcome: Advanced | undefined): void => {
      const turn = ahead.get(runId)
      if (turn === undefined) return
      if (outcome?.next === 'nothing') turn.ended = { at: now(), outcome }
      else ahead.delete(runId)
    },
    /** Outcome of a turn that its head start has ended; the turn then no longer counts. */
    takeOutcome: (runId: string): Advanced | undefined => {
      const outcome = ahead.get(runId)?.ended?.outcome
      if (outcome !== undefined) ahead.delete(runId)
      return outcome
    },
    /** The activity of the turn has arrived, in this process or another. True if this process had started the turn. */
    arrive: (runId: string): boolean => ahead.delete(runId),
  }
}
