import { maxSlotsPerAccount } from '../../domain/runs/slots.ts'

/**
 * In each window, the first rejected batch waits `firstDelayMs`, and every later rejection waits `delayStepMs` longer than
 * the previous one. At most 40 batches therefore retry per second.
 */
const firstDelayMs = 1000
const delayStepMs = 25
const windowMs = 10_000

/**
 * Limits the concurrent batches of each account to its share of `maxBatches`, the limit of this process.
 * Otherwise, the batches of one account that wait for a slow model or command would fill every slot.
 */
export function createAccountSlots(maxBatches: number, now = (): number => performance.now()) {
  const maxPerAccount = maxSlotsPerAccount(maxBatches)
  const batchCounts = new Map<string, number>()
  const rejections = new Map<string, { startedAt: number; count: number }>()

  const nextWaitMs = (accountId: string): number => {
    const previous = rejections.get(accountId)
    const window =
      previous !== undefined && now() - previous.startedAt < windowMs ? previous : { startedAt: now(), count: 0 }
    rejections.set(accountId, window)
    return firstDelayMs + delayStepMs * window.count++
  }

  const isFull = (accountId: string): boolean => (batchCounts.get(accountId) ?? 0) >= maxPerAccount

  return {
    isFull,
    /** Returns the milliseconds until a batch may retry, or undefined if the account has a free slot. */
    waitFor: (accountId: string): number | undefined => (isFull(accountId) ? nextWaitMs(accountId) : undefined),
    take: (accountId: string): void => void batchCounts.set(accountId, (batchCounts.get(accountId) ?? 0) + 1),
    release: (accountId: string): void => {
      const count = (batchCounts.get(accountId) ?? 0) - 1
      if (count > 0) return void batchCounts.set(accountId, count)
      batchCounts.delete(accountId)
      rejections.delete(accountId)
    },
  }
}
