import type { Tx } from '../../postgres/client.ts'

/** Maximum value of a usage row's column. */
export const maxTokens = 2 ** 31 - 1

/** Sums reported token counts to an integer that every column can hold, whatever was stored. */
export function tokenSum(tx: Tx, tokens: ReturnType<Tx>) {
  return tx`
  least(greatest(round(coalesce(sum(${tokens}), 0)), 0), ${maxTokens}::int)::int`
}
