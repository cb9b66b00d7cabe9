import { unavailable } from '../failures.ts'
import type { Metrics } from '../../monitoring/metrics.ts'
import { tooMany } from './rates.ts'
import type { Caller } from '../route.ts'

/** One resource of this process: what is taken of it in all, and by whom. */
export type Pool = {
  readonly taken: number
  /**
   * `who` undefined: many together, who have no one share. `own`: what the same request holds already; alone it gets
   * whatever it needs, because a bound below the largest body would refuse that for ever. Throws 503 when nothing is
   * left, and 429 when `who` has its share.
   */
  take(who: string | undefined, amount?: number, own?: number): void
  give(who: string | undefined, amount?: number): void
  /** From now on `to` answers for one that `from` took. Throws 429 when `to` has its share. */
  move(from: string, to: string): void
}

export type PoolOptions = { name: string; max: number; sharePercent: number; refusals: Metrics['refusals'] }

/**
 * Who answers for what a caller holds. An agent has a share of its own, so that it cannot keep its owner from stopping
 * it.
 */
export function holderOf({ accountId, ephemeral }: Caller): string {
  return `${ephemeral ? 'agents of' : 'account'} ${accountId}`
}

/** `max` 0: no bound, and no shares. */
export function createPool({ name, max, sharePercent, refusals }: PoolOptions): Pool {
  const share = Math.max(1, Math.floor((max * sharePercent) / 100))
  const takenBy = new Map<string, number>()
  let taken = 0

  const takenOf = (who: string): number => takenBy.get(who) ?? 0
  const note = (who: string, amount: number): void => {
    const left = takenOf(who) + amount
    if (left === 0) takenBy.delete(who)
    else takenBy.set(who, left)
  }
  const isOver = (before: number, amount: number, own: number, bound: number): boolean =>
    max > 0 && before > own && before + amount > bound
  const checkShare = (who: string, amount: number, own: number): void => {
    if (!isOver(takenOf(who), amount, own, share)) return
    refusals.inc({ reason: `${name}_share` })
    throw tooMany(1)
  }

  return {
    get taken() {
      return taken
    },
    take: (who, amount = 1, own = 0) => {
      if (isOver(taken, amount, own, max)) {
        refusals.inc({ reason: name })
        throw unavailable()
      }
      if (who !== undefined) checkShare(who, amount, own)
      taken += amount
      if (who !== undefined) note(who, amount)
    },
    give: (who, amount = 1) => {
      taken -= amount
      if (who !== undefined) note(who, -amount)
    },
    move: (from, to) => {
      checkShare(to, 1, 0)
      note(from, -1)
      note(to, 1)
    },
  }
}
