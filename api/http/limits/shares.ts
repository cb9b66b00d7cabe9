import { unavailable } from '../failures.ts'
import type { RefusalCounter } from './meters.ts'
import { tooMany } from './rates.ts'
import type { Caller } from '../route.ts'

/** The caller that a resource counts for, and its network address. */
export type Holder = { who: string; address: string }

/** Without an address only the share of `who` applies, for work that waits independently of the requesting address. */
type Taker = Pick<Holder, 'who'> & Partial<Holder>

/** One resource of this process: how much of it is in use, by which callers and addresses. */
export type Pool = {
  readonly taken: number
  /**
   * `holder` undefined: many callers together, without a share. `own`: what the same request already holds. A request
   * alone gets any amount, because a limit below the largest body would refuse that body forever. Throws 503 when
   * nothing is left, and 429 above a share.
   */
  take(holder: Taker | undefined, amount?: number, own?: number): void
  give(holder: Taker | undefined, amount?: number): void
  /** Moves one unit from `from` to `to`. Throws 429 when `to` has used its share. */
  move(from: Holder, to: Holder): void
}

export type PoolOptions = { name: string; max: number; sharePercent: number; refusals: RefusalCounter }

/**
 * Name of the caller in a pool. Agents of an account have a share of their own, so that an agent cannot keep its owner
 * from stopping it.
 */
export function callerName({ accountId, ephemeral }: Caller): string {
  return `${ephemeral ? 'agents of' : 'account'} ${accountId}`
}

/**
 * A pool with two limits besides its own. A caller has at most `sharePercent` of it, over all addresses. An address has
 * at most twice that, and at most half of what other addresses leave; a caller at this address has at most half of what
 * other callers there leave. The halves leave room for the next caller, however many accounts one address creates.
 * `max` 0: no limit. `sharePercent` 100: no shares.
 */
export function createPool({ name, max, sharePercent, refusals }: PoolOptions): Pool {
  const isShared = max > 0 && sharePercent < 100
  const share = Math.max(1, Math.floor((max * sharePercent) / 100))
  const callers = createTally()
  const addresses = createTally()
  const callersAtAddress = createTally()
  let taken = 0

  const note = (holder: Taker | undefined, amount: number): void => {
    taken += amount
    if (holder === undefined) return
    const { who, address } = holder
    callers.add(who, amount)
    if (address === undefined) return
    addresses.add(address, amount)
    callersAtAddress.add(pairKey(who, address), amount)
  }
  const isOver = (before: number, amount: number, own: number, bound: number): boolean =>
    max > 0 && before > own && before + amount > bound
  const isOverShare = ({ who, address }: Taker, amount: number, own: number): boolean => {
    if (isOver(callers.read(who), amount, own, share)) return true
    if (address === undefined) return false
    const takenByAddress = addresses.read(address)
    const takenByCaller = callersAtAddress.read(pairKey(who, address))
    const addressBound = halfUpTo(2 * share, max - (taken - takenByAddress))
    const callerBound = halfUpTo(share, addressBound - (takenByAddress - takenByCaller))
    return isOver(takenByAddress, amount, own, addressBound) || isOver(takenByCaller, amount, own, callerBound)
  }
  const checkShare = (holder: Taker | undefined, amount: number, own: number): void => {
    if (holder === undefined || !isShared || !isOverShare(holder, amount, own)) return
    refusals.inc({ reason: `${name}_share` })
    throw tooMany(1)
  }

  return {
    get taken() {
      return taken
    },
    take: (holder, amount = 1, own = 0) => {
      if (isOver(taken, amount, own, max)) {
        refusals.inc({ reason: name })
        throw unavailable()
      }
      checkShare(holder, amount, own)
      note(holder, amount)
    },
    give: (holder, amount = 1) => note(holder, -amount),
    move: (from, to) => {
      note(from, -1)
      try {
        checkShare(to, 1, 0)
      } catch (error) {
        note(from, 1)
        throw error
      }
      note(to, 1)
    },
  }
}

function pairKey(who: string, address: string): string {
  return `${address} ${who}`
}

/** At least 1, so that a small pool admits the first request of each caller. */
function halfUpTo(max: number, left: number): number {
  return Math.max(1, Math.min(max, Math.floor(left / 2)))
}

/** Sums by name. Names with the sum 0 are removed. */
function createTally() {
  const sums = new Map<string, number>()
  return {
    read: (name: string): number => sums.get(name) ?? 0,
    add: (name: string, amount: number): void => {
      const sum = (sums.get(name) ?? 0) + amount
      if (sum === 0) sums.delete(name)
      else sums.set(name, sum)
    },
  }
}
