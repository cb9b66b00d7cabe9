import type { Model, ModelAccount } from './model.ts'
import type { Random } from './random.ts'

/** As the statement of the simulation numbers them. */
export const kinds = { credit: 0, debit: 1, debitIfCovered: 2, hold: 3, settle: 4, release: 5, refund: 6, pass: 7 }
type Kind = keyof typeof kinds

export type Operation = { kind: Kind; account: ModelAccount; amount: number; reference: string; at: number }
type Known = Pick<Operation, 'account' | 'amount' | 'reference'>

export const lifetimeMs = 2 * 3_600_000
const remembered = 20_000

/** A ring of what was done before, to do again or to go on with. */
const createMemory = (random: Random) => {
  const known: Known[] = []
  let next = 0
  return {
    add: (one: Known): void => {
      known[next] = one
      next = (next + 1) % remembered
    },
    pick: (): Known | undefined => (known.length === 0 ? undefined : random.oneOf(known)),
  }
}

/** Makes one operation after the other: new ones, repeated ones, and ones on what is or was held or charged. */
export const createOperations = (random: Random, accounts: readonly ModelAccount[]) => {
  const memories = {
    credit: createMemory(random),
    debit: createMemory(random),
    debitIfCovered: createMemory(random),
    hold: createMemory(random),
  }
  let count = 0
  const amount = (): number => 1 + random.below(random.oneOf([100, 100_000, 3_000_000]))
  const fresh = (kind: keyof typeof memories): Known => {
    const made = { account: random.oneOf(accounts), amount: amount(), reference: `${kind}:${++count}` }
    memories[kind].add(made)
    return made
  }
  const freshOrAgain = (kind: keyof typeof memories): Known =>
    (random.chance(0.25) ? memories[kind].pick() : undefined) ?? fresh(kind)
  const ofHold = (): Known => memories.hold.pick() ?? fresh('hold')
  const ofDebit = (): Known => memories[random.oneOf(['debit', 'debitIfCovered', 'hold'] as const)].pick() ?? ofHold()

  const choose = (): Omit<Operation, 'at'> => {
    const share = random.below(100)
    if (share < 6) return { kind: 'credit', ...freshOrAgain('credit') }
    if (share < 14) return { kind: 'debit', ...freshOrAgain('debit') }
    if (share < 32) return { kind: 'debitIfCovered', ...freshOrAgain('debitIfCovered') }
    if (share < 52) return { kind: 'hold', ...freshOrAgain('hold') }
    if (share < 62) {
      const hold = ofHold()
      return { kind: 'settle', ...hold, amount: random.chance(0.1) ? 0 : 1 + random.below(hold.amount) }
    }
    if (share < 76) return { kind: 'release', ...ofHold() }
    if (share < 82) return { kind: 'refund', ...ofDebit() }
    return { kind: 'pass', account: random.oneOf(accounts), amount: amount(), reference: '' }
  }
  return (at: number): Operation => ({ ...choose(), at })
}

const answers: Record<Kind, (model: Model, operation: Operation) => string> = {
  credit: (model, { account, amount, reference }) => model.credit(account, amount, reference, 'topup'),
  debit: (model, { account, amount, reference }) => model.debit(account, amount, reference),
  debitIfCovered: (model, { account, amount, reference, at }) => model.debitIfCovered(account, amount, reference, at),
  hold: (model, { account, amount, reference, at }) => model.hold(account, amount, reference, at, lifetimeMs),
  settle: (model, { account, amount, reference }) => model.settle(account, amount, reference),
  release: (model, { reference }) => model.release(reference),
  refund: (model, { account, reference }) => model.refund(account, reference),
  pass: (model, { account, amount, at }) => model.pass(account, amount, at),
}

/** What the database must answer. */
export const answerOf = (model: Model, operation: Operation): string => answers[operation.kind](model, operation)
