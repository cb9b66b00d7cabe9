import type { Tx } from '../../postgres/client.ts'

/** The most that a usage row holds. */
export const maxTokens = 2 ** 31 - 1

/** A sum of what models reported as a whole number that every column takes, whatever was stored. */
export function tokenSum(tx: Tx, tokens: ReturnType<Tx>) {
  return tx`
  least(greatest(round(coalesce(sum(${tokens}), 0)), 0), ${maxTokens}::int)::int`
}
