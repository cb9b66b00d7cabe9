import type { PlanRules } from '../../domain/credits/plans.ts'
import type { Db, Tx } from '../postgres/client.ts'

export type Credit = {
  accountId: string
  amount: number
  reference: string
  kind: 'seed' | 'refill' | 'topup' | 'grant'
  /** The operator's account, for a grant. */
  actor?: string | undefined
  reason?: string | undefined
}

/** The usage row that is written with a debit. */
export type Usage = {
  source: 'web' | 'api'
  /** A model id, or `METHOD /route/pattern`. */
  modelId: string
  provider?: string | undefined
  agentType?: 'main' | 'subagent' | 'compact' | undefined
  runId?: string | undefined
  inputTokens?: number
  cachedInputTokens?: number
  outputTokens?: number
  toolCallCount?: number
  /** Path in the web app. */
  resourceUrl?: string | undefined
}

export type Debit = { accountId: string; amount: number; reference: string; usage?: Usage }

/**
 * Result of a credit check. `first` is false when the reference passed an earlier check. A failed check writes nothing.
 * `available` is the balance minus live holds, plus a due refill.
 */
export type CreditCheckResult = { covered: true; first: boolean } | { covered: false; available: number }

/** The credits do not cover the work. Throwing it rolls back the debits, holds and rows of the transaction. */
export class InsufficientCreditsError extends Error {
  override readonly name = 'InsufficientCreditsError'
  readonly available: number
  readonly required: number

  constructor(available: number, required: number) {
    super('insufficient credits')
    this.available = available
    this.required = required
  }
}

type Outcome = { outcome: 'covered' | 'booked' | 'known' | 'short'; available: number }

/** Returns the plan data that refills are computed from, in the format of the database functions. */
export function refillRules({ table, enterpriseDomains }: PlanRules): string {
  return JSON.stringify({
    allotments: { free: table.free.allotment, starter: table.starter.allotment, pro: table.pro.allotment },
    enterpriseDomains,
  })
}

/** Adds credits (micro-dollars) once per reference. Returns false for a repeated reference. */
export async function creditAccount(tx: Tx, credit: Credit): Promise<boolean> {
  return isDone(
    await tx<{ done: boolean }[]>`
      select credit_account(${credit.accountId}, ${credit.amount}, ${credit.reference}, ${credit.kind},
        ${credit.actor ?? null}, ${credit.reason ?? null}) as done`,
  )
}

/** Debits credits once per reference. The balance may become negative. Returns false for a repeated reference. */
export async function debitAccount(tx: Tx, { accountId, amount, reference, usage }: Debit): Promise<boolean> {
  return isDone(
    await tx<{ done: boolean }[]>`
      select debit_account(${accountId}, ${amount}, ${reference}, ${usageJson(usage)}::text::jsonb) as done`,
  )
}

type CreditCheck = { accountId: string; amount: number; plans: PlanRules }

/** Checks that the credits are available without debiting them, for work that is charged when it ends. */
export async function coverCredits(db: Db, { accountId, amount, plans }: CreditCheck): Promise<CreditCheckResult> {
  const [row] = await db<Outcome[]>`
    select outcome, available from pass_gate(${accountId}, ${amount}, ${refillRules(plans)}::text::jsonb)`
  return toCheckResult(row)
}

/** Debits covered credits once per reference. */
export async function debitIfCovered(
  tx: Tx,
  { accountId, amount, reference, usage, plans }: CreditCheck & { reference: string; usage: Usage },
): Promise<CreditCheckResult> {
  const [row] = await tx<Outcome[]>`
    select outcome, available from debit_if_covered(${accountId}, ${amount}, ${reference},
      ${usageJson(usage)}::text::jsonb, ${refillRules(plans)}::text::jsonb)`
  return toCheckResult(row)
}

/** Holds covered credits before work that is charged on success. An amount of 0 creates no hold. */
export async function holdCredits(
  tx: Tx,
  { accountId, amount, reference, lifetimeMs, plans }: CreditCheck & { reference: string; lifetimeMs: number },
): Promise<CreditCheckResult> {
  const [row] = await tx<Outcome[]>`
    select outcome, available from hold_credits(${accountId}, ${amount}, ${reference},
      make_interval(secs => ${lifetimeMs / 1000}::float8), ${refillRules(plans)}::text::jsonb)`
  return toCheckResult(row)
}

/**
 * Ends a hold and debits the cost of the work, from 0 to the held amount. Returns true when this call made the debit.
 */
export async function settleHold(
  tx: Tx,
  { accountId, amount, reference, usage }: { accountId: string; amount: number; reference: string; usage: Usage },
): Promise<boolean> {
  return isDone(
    await tx<{ done: boolean }[]>`
      select settle_hold(${accountId}, ${amount}, ${reference}, ${usageJson(usage)}::text::jsonb) as done`,
  )
}

/** Releases a hold. A missing hold is ignored. */
export async function releaseHold(
  db: Db,
  { accountId, reference }: { accountId: string; reference: string },
): Promise<void> {
  await db`select release_hold(${accountId}, ${reference})`
}

/** Refunds a debit once. Returns false when there was no such debit, or it was already refunded. */
export async function refundDebit(
  tx: Tx,
  { accountId, reference, reason }: { accountId: string; reference: string; reason?: string },
): Promise<boolean> {
  return isDone(
    await tx<{ done: boolean }[]>`select refund_debit(${accountId}, ${reference}, ${reason ?? null}) as done`,
  )
}

/** Deletes expired holds. */
export async function deleteExpiredHolds(db: Db): Promise<number> {
  const { count } = await db`delete from credit_holds where expires_at <= now()`
  return count
}

function isDone([row]: { done: boolean }[]): boolean {
  return row?.done === true
}

function usageJson(usage: Usage | undefined): string {
  return JSON.stringify({
    source: usage?.source,
    model_id: usage?.modelId,
    provider: usage?.provider,
    agent_type: usage?.agentType,
    run_id: usage?.runId,
    input_tokens: usage?.inputTokens,
    cached_input_tokens: usage?.cachedInputTokens,
    output_tokens: usage?.outputTokens,
    tool_call_count: usage?.toolCallCount,
    resource_url: usage?.resourceUrl,
  })
}

function toCheckResult(row: Outcome | undefined): CreditCheckResult {
  if (row === undefined) throw new Error('a credit check returned no row')
  return row.outcome === 'short'
    ? { covered: false, available: row.available }
    : { covered: true, first: row.outcome !== 'known' }
}
