import type { Plan } from '../../domain/credits/plans.ts'

/** Types of a simple in-memory implementation of the ledger's rules. */

export type Subscription = { plan: 'starter' | 'pro'; status: string; cancelling: boolean; periodStart: number }
export type ModelAccount = {
  id: string
  kind: 'person' | 'organization'
  enterprise: boolean
  balance: number
  refilledAt: number | null
  refillAllotment: number | null
  refilledUntil: number | null
  subscription: Subscription | undefined
  held: Set<Work>
}

/** State of one reference: the parameters of its operation and its current result. */
export type Work = {
  readonly account: ModelAccount
  readonly amount: number
  readonly reference: string
  /** The ledger entry of the reference. */
  booked: { kind: 'topup' | 'charge'; amount: number } | undefined
  refunded: boolean
  hold: { amount: number; expiresAt: number } | undefined
}
type Kind = 'topup' | 'charge' | 'refund' | 'refill'
export type Allotments = Record<Plan, number>

/** Returns the same day of the next month, or its last day. */
const monthLater = (time: number): number => {
  const date = new Date(time)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2, 0)).getUTCDate()
  const day = Math.min(date.getUTCDate(), lastDay)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, day) + (time % 86_400_000)
}

const isActive = ({ status, cancelling }: Subscription): boolean =>
  status === 'active' || (status === 'trialing' && !cancelling)
const findActive = ({ subscription }: ModelAccount): Subscription | undefined =>
  subscription !== undefined && isActive(subscription) ? subscription : undefined
const resolvePlan = (account: ModelAccount): Plan =>
  account.enterprise ? 'pro' : (findActive(account)?.plan ?? 'free')
/** Returns the subscription that determines the plan. */
const findPaying = (account: ModelAccount): Subscription | undefined => {
  const active = findActive(account)
  return active?.plan === resolvePlan(account) ? active : undefined
}
const computeRefillEnd = (account: ModelAccount, now: number): number => {
  const paying = findPaying(account)
  if (paying === undefined) return monthLater(now)
  const end = monthLater(paying.periodStart)
  return paying.status === 'trialing' ? end : Math.min(end, monthLater(now))
}
const computeAvailable = (account: ModelAccount, now: number): number => {
  let free = account.balance
  for (const { hold } of account.held) if (hold !== undefined && hold.expiresAt > now) free -= hold.amount
  return free
}
const outcome = (word: string, free: number): string => `(${word},${free})`

/** Creates a simple in-memory implementation of the ledger's rules. */
export const createModel = (allotments: Allotments) => {
  const totals: Record<Kind, { rows: number; amount: number }> = {
    charge: { rows: 0, amount: 0 },
    refill: { rows: 0, amount: 0 },
    refund: { rows: 0, amount: 0 },
    topup: { rows: 0, amount: 0 },
  }
  const held = new Set<Work>()

  const computeAllotment = (account: ModelAccount): number => {
    const plan = resolvePlan(account)
    return account.kind === 'person' || plan !== 'free' ? allotments[plan] : 0
  }
  const computeRefill = (account: ModelAccount, now: number): number => {
    const { refilledAt, refillAllotment, refilledUntil, balance } = account
    const earlier = refilledUntil ?? -Infinity
    const allotment = computeAllotment(account)
    const periodStart = findPaying(account)?.periodStart
    const due =
      allotment > 0 &&
      (refilledAt === null ||
        allotment > (refillAllotment ?? allotments.free) ||
        (periodStart !== undefined && refilledAt < periodStart && earlier <= periodStart) ||
        (monthLater(refilledAt) < now && earlier <= now))
    return due ? Math.max(0, allotment - balance) : 0
  }
  const addEntry = (account: ModelAccount, amount: number, kind: Kind): void => {
    totals[kind].rows += 1
    totals[kind].amount += amount
    account.balance += amount
  }
  const book = (work: Work, amount: number, kind: 'topup' | 'charge'): boolean => {
    if (work.booked !== undefined) return false
    work.booked = { kind, amount }
    addEntry(work.account, amount, kind)
    return true
  }
  /** Returns whether free credits cover the amount. Books a due refill only if it makes them sufficient. */
  const cover = (account: ModelAccount, amount: number, now: number): { covered: boolean; free: number } => {
    const free = computeAvailable(account, now)
    if (free >= amount) return { covered: true, free }
    const refill = computeRefill(account, now)
    if (free + refill < amount) return { covered: false, free: free + refill }
    addEntry(account, refill, 'refill')
    account.refilledAt = now
    account.refillAllotment = computeAllotment(account)
    account.refilledUntil = computeRefillEnd(account, now)
    return { covered: true, free: free + refill }
  }
  const removeHold = (work: Work): void => {
    if (work.hold === undefined) return
    work.hold = undefined
    work.account.held.delete(work)
    held.delete(work)
  }

  return {
    totals,
    held,
    credit: (work: Work): string => String(book(work, work.amount, 'topup')),
    debit: (work: Work): string => String(book(work, -work.amount, 'charge')),
    pass: ({ account, amount }: Work, now: number): string => {
      const { covered, free } = cover(account, amount, now)
      return outcome(covered ? 'covered' : 'short', free)
    },
    debitIfCovered: (work: Work, now: number): string => {
      if (work.booked !== undefined) return 'known'
      const { covered, free } = cover(work.account, work.amount, now)
      if (!covered) return outcome('short', free)
      book(work, -work.amount, 'charge')
      return outcome('booked', free - work.amount)
    },
    hold: (work: Work, now: number, lifetimeMs: number): string => {
      if (work.booked !== undefined || (work.hold !== undefined && work.hold.expiresAt > now)) return 'known'
      const { covered, free } = cover(work.account, work.amount, now)
      if (!covered) return outcome('short', free)
      work.hold = { amount: work.amount, expiresAt: now + lifetimeMs }
      work.account.held.add(work)
      held.add(work)
      return outcome('booked', free - work.amount)
    },
    settle: (work: Work, amount: number): string => {
      removeHold(work)
      return String(amount > 0 && book(work, -amount, 'charge'))
    },
    release: (work: Work): string => {
      removeHold(work)
      return ''
    },
    refund: (work: Work): string => {
      if (work.booked?.kind !== 'charge' || work.refunded) return 'false'
      work.refunded = true
      addEntry(work.account, -work.booked.amount, 'refund')
      return 'true'
    },
    sweep: (now: number): void => {
      for (const work of held) if (work.hold !== undefined && work.hold.expiresAt <= now) removeHold(work)
    },
  }
}
export type Model = ReturnType<typeof createModel>
