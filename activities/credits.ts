import { settleHold, type Usage } from '../db/credits/ledger.ts'
import type { DbDeps } from './deps.ts'

type Settlement = { accountId: string; amount: number; reference: string; usage: Usage }

export function createCreditActivities({ db }: DbDeps) {
  return {
    /** Settles a hold with its debit. Safe to run again: a reference is charged once. */
    settleHold: async (settlement: Settlement): Promise<void> => {
      await db.begin((tx) => settleHold(tx, settlement))
    },
  }
}
