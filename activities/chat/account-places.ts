import { placesOfAccount } from '../../domain/runs/places.ts'

/** First wait of a batch without a place, and what each refusal of the same window adds: 40 batches a second come back. */
const waitMs = 1000
const spacingMs = 25
const windowMs = 10_000

/**
 * Places of batches by account. `atOnce`: batches that this process runs at the same time, of which one account has its share:
 * batches that wait for a slow model or command would otherwise hold every place.
 */
export function createAccountPlaces(atOnce: number, now = (): number => performance.now()) {
  const ofAccount = placesOfAccount(atOnce)
  const held = new Map<string, number>()
  const refused = new Map<string, { since: number; count: number }>()

  const refuse = (accountId: string): number => {
    const known = refused.get(accountId)
    const window = known !== undefined && now() - known.since < windowMs ? known : { since: now(), count: 0 }
    refused.set(accountId, window)
    return waitMs + spacingMs * window.count++
  }

  return {
    /**
     * Takes a place. When the account has its share: the milliseconds after which the batch is to be tried again, unless
     * it cannot wait.
     */
    take: (accountId: string, canWait: boolean): number | undefined => {
      const places = held.get(accountId) ?? 0
      if (canWait && places >= ofAccount) return refuse(accountId)
      held.set(accountId, places + 1)
      return undefined
    },
    release: (accountId: string): void => {
      const places = (held.get(accountId) ?? 0) - 1
      if (places > 0) return void held.set(accountId, places)
      held.delete(accountId)
      refused.delete(accountId)
    },
  }
}
