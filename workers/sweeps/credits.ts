import { claimDailyCheck, compareBalances, finishDailyCheck } from '../../db/credits/checks.ts'
import type { SweeperDeps } from './runtime/deps.ts'
import { deleteExpiredHolds } from '../../db/credits/ledger.ts'
import type { Sweep } from './runtime/loop.ts'

export const creditSweeps: Sweep[] = [
  { name: 'delete expired holds', everySeconds: 60, run: ({ db }) => deleteExpiredHolds(db) },
  { name: 'compare balances', everySeconds: 3600, run: checkBalances },
]

type LedgerDeps = Pick<SweeperDeps, 'db' | 'log'>

const batchSize = 1000

/** Compares all balances with their ledgers once a day, on the worker that claims the day. */
export async function checkBalances(deps: LedgerDeps): Promise<void> {
  const day = await claimDailyCheck(deps.db)
  if (day === undefined) return
  const differences = await countDifferences(deps)
  await finishDailyCheck(deps.db, day, differences)
  deps.log.info({ differences }, 'compared all balances with their ledgers')
}

/** Compares each balance with its ledger, in pages of accounts, and reports each difference. */
async function countDifferences({ db, log }: LedgerDeps): Promise<number> {
  let differences = 0
  let last: string | null = null
  for (;;) {
    const comparisons: Awaited<ReturnType<typeof compareBalances>> = await compareBalances(db, last, batchSize)
    for (const { accountId, balance, ledger } of comparisons.filter(({ differs }) => differs)) {
      differences++
      log.error({ accountId, balance, ledger }, 'a balance is not the sum of its ledger')
    }
    last = comparisons.at(-1)?.accountId ?? null
    if (comparisons.length < batchSize || last === null) return differences
  }
}
