import type { Plan } from '../../domain/plans.ts'

/** What the ledger of the contract (12.2, 12.3, 12.6) does, in memory and in its plainest form. */

export type Subscription = { plan: 'starter' | 'pro'; status: string; cancelling: boolean; periodStart: number }
export type ModelAccount = {
  id: string
  kind: 'person' | 'organization'
  enterprise: boolean
  balance: number
  refilledAt: number | null
  refillAllotment: number | null
  subscription: Subscription | undefined
}
type Hold = { account: ModelAccount; amount: number; expiresAt: number }
type Entry = { account: ModelAccount; amount: number; kind: string; reference: string }
export type Allotments = Record<Plan, number>

/** The same day of the next month, or its last day. */
const monthLater = (time: number): number => {
  const date = new Date(time)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2, 0)).getUTCDate()
  const day = Math.min(date.getUTCDate(), lastDay)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, day) + (time % 86_400_000)
}

const isActive = ({ status, cancelling }: Subscription): boolean =>
  status === 'active' || (status === 'trialing' && !cancelling)
const outcome = (word: string, free: number): string => `(${word},${free})`

export const createModel = (allotments: Allotments) => {
  const ledger = new Map<string, Entry>()
  const holds = new Map<string, Hold>()
  const holdsOf = new Map<ModelAccount, Set<Hold>>()

  const activeOf = ({ subscription }: ModelAccount): Subscription | undefined =>
    subscription !== undefined && isActive(subscription) ? subscription : undefined
  const planOf = (account: ModelAccount): Plan => (account.enterprise ? 'pro' : (activeOf(account)?.plan ?? 'free'))
  const allotmentOf = (account: ModelAccount): number => {
    const plan = planOf(account)
    return account.kind === 'person' || plan !== 'free' ? allotments[plan] : 0
  }
  const refillOf = (account: ModelAccount, now: number): number => {
    const { refilledAt, refillAllotment, balance } = account
    const allotment = allotmentOf(account)
    const periodStart = activeOf(account)?.periodStart
    const due =
      allotment > 0 &&
      (refilledAt === null ||
        monthLater(refilledAt) < now ||
        (periodStart !== undefined && refilledAt < periodStart) ||
        allotment > (refillAllotment ?? allotments.free))
    return due ? Math.max(0, allotment - balance) : 0
  }
  const available = (account: ModelAccount, now: number): number => {
    let free = account.balance
    for (const hold of holdsOf.get(account) ?? []) if (hold.expiresAt > now) free -= hold.amount
    return free
  }
  const book = (account: ModelAccount, amount: number, reference: string, kind: string): boolean => {
    if (ledger.has(reference)) return false
    ledger.set(reference, { account, amount, kind, reference })
    account.balance += amount
    return true
  }
  const cover = (account: ModelAccount, amount: number, now: number): boolean => {
    if (available(account, now) >= amount) return true
    const refill = refillOf(account, now)
    if (refill === 0 || available(account, now) + refill < amount) return false
    book(account, refill, `refill:${account.id}:${account.refilledAt ?? 0}`, 'refill')
    account.refilledAt = now
    account.refillAllotment = allotmentOf(account)
    return true
  }
  const short = (account: ModelAccount, now: number): string =>
    outcome('short', available(account, now) + refillOf(account, now))
  const dropHold = (reference: string): Hold | undefined => {
    const hold = holds.get(reference)
    if (hold !== undefined) holdsOf.get(hold.account)?.delete(hold)
    holds.delete(reference)
    return hold
  }

  return {
    ledger,
    holds,
    available,
    credit: (account: ModelAccount, amount: number, reference: string, kind: string) =>
      String(book(account, amount, reference, kind)),
    debit: (account: ModelAccount, amount: number, reference: string) =>
      String(book(account, -amount, reference, 'charge')),
    pass: (account: ModelAccount, amount: number, now: number): string =>
      cover(account, amount, now) ? outcome('covered', available(account, now)) : short(account, now),
    debitIfCovered: (account: ModelAccount, amount: number, reference: string, now: number): string => {
      if (ledger.has(reference)) return 'known'
      if (!cover(account, amount, now)) return short(account, now)
      book(account, -amount, reference, 'charge')
      return outcome('booked', available(account, now))
    },
    hold: (account: ModelAccount, amount: number, reference: string, now: number, lifetimeMs: number): string => {
      if ((holds.get(reference)?.expiresAt ?? 0) > now || ledger.has(reference)) return 'known'
      if (!cover(account, amount, now)) return short(account, now)
      dropHold(reference)
      const hold = { account, amount, expiresAt: now + lifetimeMs }
      holds.set(reference, hold)
      holdsOf.set(account, (holdsOf.get(account) ?? new Set()).add(hold))
      return outcome('booked', available(account, now))
    },
    settle: (account: ModelAccount, amount: number, reference: string): string => {
      dropHold(reference)
      return String(amount > 0 && book(account, -amount, reference, 'charge'))
    },
    release: (reference: string): string => {
      dropHold(reference)
      return ''
    },
    refund: (account: ModelAccount, reference: string): string => {
      const entry = ledger.get(reference)
      return String(entry?.kind === 'charge' && book(account, -entry.amount, `refund:${reference}`, 'refund'))
    },
    sweep: (now: number): void => {
      for (const [reference, { expiresAt }] of holds) if (expiresAt <= now) dropHold(reference)
    },
  }
}
export type Model = ReturnType<typeof createModel>
