import type { TurnAction } from '../../domain/chat/turns.ts'
import { maxSlotsPerAccount } from '../../domain/runs/slots.ts'

/** An ended head start no longer counts after this time: its activity was lost, or its workflow was cancelled. */
const retentionMs = 10_000

/** A turn with a head start. `ended`: when and how the head start ended the run. */
type HeadStart = { accountId: string; ended?: { endedAt: number; outcome: TurnAction } }

/**
 * Tracks the turns that this process started before their activity arrived. Limits them to `maxTurns` in total and to the
 * share of one account. A turn that its head start has ended still counts, because the engine must still run its workflow.
 * Otherwise, a fast model would end turns faster than the engine can run their workflows.
 */
export function createHeadStarts(maxTurns: number, now = (): number => performance.now()) {
  const turns = new Map<string, HeadStart>()

  const expire = (): void => {
    for (const [runId, { ended }] of turns)
      if (ended !== undefined && now() - ended.endedAt >= retentionMs) turns.delete(runId)
  }

  return {
    /** Returns the number of turns that may still begin. */
    countFree: (): number => {
      expire()
      return Math.max(0, maxTurns - turns.size)
    },
    isFull: (accountId: string): boolean => {
      expire()
      const accountTurns = [...turns.values()].filter((turn) => turn.accountId === accountId)
      return turns.size >= maxTurns || accountTurns.length >= maxSlotsPerAccount(maxTurns)
    },
    begin: (runId: string, accountId: string): void => void turns.set(runId, { accountId }),
    /** Records the end of the batch. A turn that the batch has not ended no longer counts, because the engine continues it. */
    end: (runId: string, outcome: TurnAction | undefined): void => {
      const turn = turns.get(runId)
      if (turn === undefined) return
      if (outcome?.next === 'nothing') turn.ended = { endedAt: now(), outcome }
      else turns.delete(runId)
    },
    /** Returns the outcome of a turn that its head start has ended. The turn then no longer counts. */
    takeOutcome: (runId: string): TurnAction | undefined => {
      const outcome = turns.get(runId)?.ended?.outcome
      if (outcome !== undefined) turns.delete(runId)
      return outcome
    },
    /** Records that the activity of the turn has arrived in any process. Returns true if this process had started the turn. */
    arrive: (runId: string): boolean => turns.delete(runId),
  }
}
