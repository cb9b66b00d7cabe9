import type { Db } from '../postgres/client.ts'

/** A ledger entry with the usage that it charges for. */
export type LedgerEntry = {
  id: number
  kind: 'seed' | 'refill' | 'topup' | 'grant' | 'charge' | 'refund'
  /** Negative for a debit. */
  amount: number
  balanceAfter: number
  reference: string
  reason: string | null
  source: 'web' | 'api' | null
  modelId: string | null
  runId: string | null
  createdAt: Date
}

type Page = { accountId: string; limit: number; before?: number | undefined }

/** Returns the ledger entries of an account, newest first. */
export function listEntries(db: Db, { accountId, limit, before }: Page): Promise<LedgerEntry[]> {
  return db<LedgerEntry[]>`
    select entry.id, entry.kind, entry.amount, entry.balance_after, entry.reference, entry.reason, usage.source,
      usage.model_id, usage.run_id, entry.created_at
    from credit_ledger entry left join usage_events usage on usage.reference = entry.reference
    where entry.account_id = ${accountId} ${before === undefined ? db`` : db`and entry.id < ${before}`}
    order by entry.id desc limit ${limit}`
}
