import type { Random } from '../world/random.ts'
import type { Model, ModelAccount, Work } from './model.ts'

/** Numbers of the operations in the statement of the simulation. */
export const kinds = { credit: 0, debit: 1, debitIfCovered: 2, hold: 3, settle: 4, release: 5, refund: 6, pass: 7 }
type Kind = keyof typeof kinds

export type Operation = { kind: Kind; work: Work; amount: number; at: number }

export const lifetimeMs = 2 * 3_600_000
const ringSize = 20_000

/** Creates a ring buffer of earlier operations to repeat or continue. */
const createMemory = (random: Random) => {
  const ring: Work[] = []
  let next = 0
  return {
    add: (work: Work): void => {
      ring[next] = work
      next = (next + 1) % ringSize
    },
    pick: (): Work | undefined => (ring.length === 0 ? undefined : random.pick(ring)),
  }
}

const toOperation = (kind: Kind, work: Work, at: number): Operation => ({ kind, work, amount: work.amount, at })

/** Creates a generator of new operations, repetitions, and operations on current or earlier holds and charges. */
export const createOperations = (random: Random, accounts: readonly ModelAccount[]) => {
  const memories = {
    credit: createMemory(random),
    debit: createMemory(random),
    debitIfCovered: createMemory(random),
    hold: createMemory(random),
  }
  let count = 0
  const newWork = (reference: string): Work => ({
    account: random.pick(accounts),
    amount: random.between(1, random.pick([100, 100_000, 3_000_000])),
    reference,
    booked: undefined,
    refunded: false,
    hold: undefined,
  })
  const createWork = (kind: keyof typeof memories): Work => {
    const work = newWork(`${kind}:${++count}`)
    memories[kind].add(work)
    return work
  }
  const newOrRepeated = (kind: keyof typeof memories): Work =>
    (random.chance(0.25) ? memories[kind].pick() : undefined) ?? createWork(kind)
  const pickHold = (): Work => memories.hold.pick() ?? createWork('hold')
  const pickCharge = (): Work =>
    memories[random.pick(['debit', 'debitIfCovered', 'hold'] as const)].pick() ?? pickHold()

  return (at: number): Operation => {
    const share = random.between(0, 99)
    if (share < 6) return toOperation('credit', newOrRepeated('credit'), at)
    if (share < 14) return toOperation('debit', newOrRepeated('debit'), at)
    if (share < 32) return toOperation('debitIfCovered', newOrRepeated('debitIfCovered'), at)
    if (share < 52) return toOperation('hold', newOrRepeated('hold'), at)
    if (share < 62) {
      const work = pickHold()
      return { kind: 'settle', work, amount: random.chance(0.1) ? 0 : random.between(1, work.amount), at }
    }
    if (share < 76) return toOperation('release', pickHold(), at)
    if (share < 82) return toOperation('refund', pickCharge(), at)
    return toOperation('pass', newWork(''), at)
  }
}

const resultsByKind: Record<Kind, (model: Model, operation: Operation) => string> = {
  credit: (model, { work }) => model.credit(work),
  debit: (model, { work }) => model.debit(work),
  debitIfCovered: (model, { work, at }) => model.debitIfCovered(work, at),
  hold: (model, { work, at }) => model.hold(work, at, lifetimeMs),
  settle: (model, { work, amount }) => model.settle(work, amount),
  release: (model, { work }) => model.release(work),
  refund: (model, { work }) => model.refund(work),
  pass: (model, { work, at }) => model.pass(work, at),
}

/** Returns the expected result of the database. */
export const computeResult = (model: Model, operation: Operation): string =>
  resultsByKind[operation.kind](model, operation)
