import { placesOfAccount } from '../../domain/runs/places.ts'

/**
 * First wait of a refused batch, and the delay that each further refusal in the same window adds: at most 40 batches
 * return per second.
 */
const waitMs = 1000
const spacingMs = 25
const windowMs = 10_000

/**
 * Limits the batches of one account. `atOnce`: batches that this process runs at the same time. One account may use
 * only its share, because batches that wait for a slow model or command would otherwise fill every place.
 */
export function createAccountPlaces(atOnce: number, now = (): number => performance.now()) {
  const maxPerAccount = placesOfAccount(atOnce)
  const held = new Map<string, number>()
  const refused = new Map<string, { since: number; count: number }>()

  const refuse = (accountId: string): number => {
    const known = refused.get(accountId)
    const window = known !== undefined && now() - known.since < windowMs ? known : { since: now(), count: 0 }
    refused.set(accountId, window)
    return waitMs + spacingMs * window.count++
  }

  const isFull = (accountId: string): boolean => (held.get(accountId) ?? 0) >= maxPerAccount

  return {
    isFull,
    /** Milliseconds until a further batch may try again; undefined while the account has a place left. */
    waitFor: (accountId: string): number | undefined => (isFull(accountId) ? refuse(accountId) : undefined),
    take: (accountId: string): void => void held.set(accountId, (held.get(accountId) ?? 0) + 1),
    release: (accountId: string): void => {
      const places = (held.get(accountId) ?? 0) - 1
      if (places > 0) return void held.set(accountId, places)
      held.delete(accountId)
      refused.delete(accountId)
    },
  }
}
