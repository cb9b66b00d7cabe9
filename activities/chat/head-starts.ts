import type { Advanced } from '../../domain/chat/turns.ts'
import { maxSlotsPerAccount } from '../../domain/runs/slots.ts'

/** Time after which an ended head start no longer counts, because its activity was lost or its workflow was cancelled. */
const retentionMs = 10_000

/** A turn with a head start. `ended`: when and how the head start ended the run. */
type TurnAhead = { accountId: string; ended?: { at: number; outcome: Advanced } }

/**
 * Counts the turns that this process has started and whose activity has not arrived, at most `maxTurns`; one account may use
 * its share of them. A turn that its head start has ended still counts, because the engine must still run its workflow, and
 * workflows would otherwise pile up behind a fast model.
 */
export function createHeadStarts(maxTurns: number, now = (): number => performance.now()) {
  const ahead = new Map<string, TurnAhead>()

  const expire = (): void => {
    for (const [runId, { ended }] of ahead)
      if (ended !== undefined && now() - ended.at >= retentionMs) ahead.delete(runId)
  }

  return {
    /** Returns the number of turns that may still begin. */
    countFree: (): number => {
      expire()
      return Math.max(0, maxTurns - ahead.size)
    },
    isFull: (accountId: string): boolean => {
      expire()
      const accountTurns = [...ahead.values()].filter((turn) => turn.accountId === accountId)
      return ahead.size >= maxTurns || accountTurns.length >= maxSlotsPerAccount(maxTurns)
    },
    begin: (runId: string, accountId: string): void => void ahead.set(runId, { accountId }),
    /** Records that the batch is over. If it has not ended the run, which the engine continues, the turn no longer counts. */
    end: (runId: string, outcome: Advanced | undefined): void => {
      const turn = ahead.get(runId)
      if (turn === undefined) return
      if (outcome?.next === 'nothing') turn.ended = { at: now(), outcome }
      else ahead.delete(runId)
    },
    /** Returns the outcome of a turn that its head start has ended. The turn then no longer counts. */
    takeOutcome: (runId: string): Advanced | undefined => {
      const outcome = ahead.get(runId)?.ended?.outcome
      if (outcome !== undefined) ahead.delete(runId)
      return outcome
    },
    /** Records that the activity of the turn has arrived, in any process. Returns true if this process had started the turn. */
    arrive: (runId: string): boolean => ahead.delete(runId),
  }
}
