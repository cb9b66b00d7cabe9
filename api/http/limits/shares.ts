import { divideLimit } from '../../../domain/operator/fleet.ts'
import { unavailable } from '../failures.ts'
import type { RefusalCounter } from './meters.ts'
import { tooManyRequests } from './rates.ts'
import type { Caller, Holder } from '../route.ts'

/** A holder, or queued work, which has no address. Without an address, only the share of the caller applies. */
type PoolHolder = Pick<Holder, 'callerKey'> & Partial<Holder>

/** A limited resource of this process. A pool records how much each caller and address uses. */
export type Pool = {
  readonly taken: number
  /**
   * Adds `amount` to the use of the resource. Without `holder`, many callers use it together and no share applies.
   * `alreadyHeld`: the amount that the same request holds. A request that alone uses the pool may exceed the limits, because
   * a body larger than a limit would otherwise always be rejected. Throws 503 at the limit, and 429 above a share.
   */
  acquire(holder: PoolHolder | undefined, amount?: number, alreadyHeld?: number): void
  release(holder: PoolHolder | undefined, amount?: number): void
  /** Moves one unit from `from` to `to`. Throws 429 if `to` has used its share. */
  move(from: Holder, to: Holder): void
}

export type PoolOptions = {
  name: string
  max: number
  sharePercent: number
  /** Number of live API processes, among which the share of a caller is divided. Default: 1. */
  countApis?: (() => number) | undefined
  refusals: RefusalCounter
}

/**
 * Returns the name of the caller in a pool. The agents of an account have a separate share, so that they cannot prevent the
 * owner from stopping them.
 */
export function callerName({ accountId, ephemeral }: Caller): string {
  return `${ephemeral ? 'agents of' : 'account'} ${accountId}`
}

/**
 * Creates a pool that also limits callers and addresses. A caller may hold at most `sharePercent` of the pool across all
 * addresses. An address may hold at most twice that, and at most half of what other addresses leave free; a caller at an
 * address may hold at most half of what the other callers there leave free. The halves leave room for the next caller, however
 * many accounts one address creates. `max` 0: no limit. `sharePercent` 100: no shares. Each API process grants an equal part of
 * a share.
 */
export function createPool({ name, max, sharePercent, countApis = () => 1, refusals }: PoolOptions): Pool {
  const isShared = max > 0 && sharePercent < 100
  const wholeShare = Math.max(1, Math.floor((max * sharePercent) / 100))
  const callers = createTally()
  const addresses = createTally()
  const callersAtAddress = createTally()
  let taken = 0

  const record = (holder: PoolHolder | undefined, amount: number): void => {
    taken += amount
    if (holder === undefined) return
    const { callerKey, address } = holder
    callers.add(callerKey, amount)
    if (address === undefined) return
    addresses.add(address, amount)
    callersAtAddress.add(pairKey(callerKey, address), amount)
  }
  const isOver = (before: number, amount: number, alreadyHeld: number, bound: number): boolean =>
    max > 0 && before > alreadyHeld && before + amount > bound
  const isOverShare = ({ callerKey, address }: PoolHolder, amount: number, alreadyHeld: number): boolean => {
    const share = divideLimit(wholeShare, countApis())
    if (isOver(callers.read(callerKey), amount, alreadyHeld, share)) return true
    if (address === undefined) return false
    const takenByAddress = addresses.read(address)
    const takenByCaller = callersAtAddress.read(pairKey(callerKey, address))
    const addressBound = halfUpTo(2 * share, max - (taken - takenByAddress))
    const callerBound = halfUpTo(share, addressBound - (takenByAddress - takenByCaller))
    return (
      isOver(takenByAddress, amount, alreadyHeld, addressBound) ||
      isOver(takenByCaller, amount, alreadyHeld, callerBound)
    )
  }
  const checkShare = (holder: PoolHolder | undefined, amount: number, alreadyHeld: number): void => {
    if (holder === undefined || !isShared || !isOverShare(holder, amount, alreadyHeld)) return
    refusals.inc({ reason: `${name}_share` })
    throw tooManyRequests(1)
  }

  return {
    get taken() {
      return taken
    },
    acquire: (holder, amount = 1, alreadyHeld = 0) => {
      if (isOver(taken, amount, alreadyHeld, max)) {
        refusals.inc({ reason: name })
        throw unavailable()
      }
      checkShare(holder, amount, alreadyHeld)
      record(holder, amount)
    },
    release: (holder, amount = 1) => record(holder, -amount),
    move: (from, to) => {
      record(from, -1)
      try {
        checkShare(to, 1, 0)
      } catch (error) {
        record(from, 1)
        throw error
      }
      record(to, 1)
    },
  }
}

function pairKey(callerKey: string, address: string): string {
  return `${address} ${callerKey}`
}

/** Returns half of `free`, limited to `max`, and at least 1, so that a small pool admits the first request of each caller. */
function halfUpTo(max: number, free: number): number {
  return Math.max(1, Math.min(max, Math.floor(free / 2)))
}

/** Creates a map from names to sums. A name whose sum is 0 is removed. */
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
