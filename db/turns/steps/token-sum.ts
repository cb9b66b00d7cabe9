import type { Tx } from '../../postgres/client.ts'

/** Maximum value of a token column in a usage row. */
export const maxTokens = 2 ** 31 - 1

/** SQL for the sum of reported token counts, limited to the range of the columns. */
export function tokenSum(tx: Tx, tokens: ReturnType<Tx>) {
  return tx`
  least(greatest(round(coalesce(sum(${tokens}), 0)), 0), ${maxTokens}::int)::int`
}
