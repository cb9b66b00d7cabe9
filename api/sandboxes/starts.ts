import { setTimeout } from 'node:timers/promises'
import { maxSlotsPerAccount } from '../../domain/runs/slots.ts'
import { ApiError } from '../http/errors.ts'

/** Sandbox starts of one account. `waiting`: controllers of the waiting starts, in order. Aborting one lets its start run. */
type Starts = { running: number; waiting: Set<AbortController> }

/**
 * Limits an account's concurrent sandbox starts to its share of the starts that a worker runs concurrently. Additional starts
 * wait in this process with their requests. Otherwise, the starts of one account could occupy every slot of the workers, and
 * headless runs, whose sandboxes have a lower priority, would wait for all of them.
 */
export function createSandboxStarts(maxConcurrent: number) {
  const maxPerAccount = maxSlotsPerAccount(maxConcurrent)
  const accounts = new Map<string, Starts>()

  const enter = async (accountId: string, timeoutMs: number): Promise<Starts> => {
    const starts = accounts.get(accountId) ?? { running: 0, waiting: new Set() }
    accounts.set(accountId, starts)
    if (starts.running < maxPerAccount) {
      starts.running++
      return starts
    }
    const waiter = new AbortController()
    starts.waiting.add(waiter)
    await setTimeout(timeoutMs, undefined, { signal: waiter.signal }).catch(() => {})
    // The time limit passed while the start was waiting.
    if (starts.waiting.delete(waiter))
      throw new ApiError('timeout', 'Other sandboxes of this account are still starting', { retryAfter: 5 })
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
   * Waits until the account has a free slot, and then runs `start` with the remaining time. Throws 504 if no slot becomes
   * free in time.
   */
  return async <T>(accountId: string, timeoutMs: number, start: (remainingMs: number) => Promise<T>): Promise<T> => {
    const endsAt = performance.now() + timeoutMs
    const starts = await enter(accountId, timeoutMs)
    try {
      return await start(Math.max(1, endsAt - performance.now()))
    } finally {
      leave(accountId, starts)
    }
  }
}
