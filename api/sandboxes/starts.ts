import { setTimeout } from 'node:timers/promises'
import { maxSlotsPerAccount } from '../../domain/runs/slots.ts'
import { ApiError } from '../http/errors.ts'

/** Sandbox starts of one account: those that were submitted, and those that wait, in order. */
type Starts = { running: number; waiting: Set<AbortController> }

/**
 * Limits an account's concurrent sandbox starts to its share of the starts that a worker runs at the same time. Further starts wait here,
 * as do their requests. Otherwise the starts of one account take every place of the workers, and headless runs, whose
 * sandboxes have a lower priority, wait behind all of them.
 */
export function createSandboxStarts(atOnce: number) {
  const maxPerAccount = maxSlotsPerAccount(atOnce)
  const accounts = new Map<string, Starts>()

  const enter = async (accountId: string, withinMs: number): Promise<Starts> => {
    const starts = accounts.get(accountId) ?? { running: 0, waiting: new Set() }
    accounts.set(accountId, starts)
    if (starts.running < maxPerAccount) {
      starts.running++
      return starts
    }
    const turn = new AbortController()
    starts.waiting.add(turn)
    await setTimeout(withinMs, undefined, { signal: turn.signal }).catch(() => {})
    // Still waiting when its time was over.
    if (starts.waiting.delete(turn))
      throw new ApiError('timeout', 'Other sandboxes of this account are still starting', {
        headers: { 'retry-after': '5' },
      })
    return starts
  }

  const leave = (accountId: string, starts: Starts): void => {
    const [next] = starts.waiting
    if (next === undefined) {
      starts.running--
      if (starts.running === 0) accounts.delete(accountId)
      return
    }
    starts.waiting.delete(next)
    next.abort()
  }

  /**
   * Runs a start in the turn of its account, within the remaining time. Throws 504 when its turn does not come in time.
   */
  return async <T>(accountId: string, withinMs: number, start: (leftMs: number) => Promise<T>): Promise<T> => {
    const endsAt = performance.now() + withinMs
    const starts = await enter(accountId, withinMs)
    try {
      return await start(Math.max(1, endsAt - performance.now()))
    } finally {
      leave(accountId, starts)
    }
  }
}
