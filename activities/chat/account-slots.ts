import { maxSlotsPerAccount } from '../../domain/runs/slots.ts'

/**
 * First wait of a rejected batch, and the delay that each further rejection in the same window adds: at most 40 batches
 * return per second.
 */
const firstDelayMs = 1000
const delayStepMs = 25
const windowMs = 10_000

/**
 * Limits the concurrent batches of each account to its share of `maxBatches`, the concurrent batches of this process.
 * Otherwise the batches of one account that wait for a slow model or command would fill every slot.
 */
export function createAccountSlots(maxBatches: number, now = (): number => performance.now()) {
  const maxPerAccount = maxSlotsPerAccount(maxBatches)
  const held = new Map<string, number>()
  const rejections = new Map<string, { since: number; count: number }>()

  const nextWaitMs = (accountId: string): number => {
    const previous = rejections.get(accountId)
    const window = previous !== undefined && now() - previous.since < windowMs ? previous : { since: now(), count: 0 }
    rejections.set(accountId, window)
    return firstDelayMs + delayStepMs * window.count++
  }

  const isFull = (accountId: string): boolean => (held.get(accountId) ?? 0) >= maxPerAccount

  return {
    isFull,
    /** Returns the milliseconds until another batch may try again; undefined while the account has a free slot. */
    waitFor: (accountId: string): number | undefined => (isFull(accountId) ? nextWaitMs(accountId) : undefined),
    take: (accountId: string): void => void held.set(accountId, (held.get(accountId) ?? 0) + 1),
    release: (accountId: string): void => {
      const count = (held.get(accountId) ?? 0) - 1
      if (count > 0) return void held.set(accountId, count)
      held.delete(accountId)
      rejections.delete(accountId)
    },
  }
}
