import { createHash } from 'node:crypto'
import { autoTopUpStopped } from '../../domain/payments/mails.ts'
import { autoTopUpGapSeconds, creditsPerCent, declineReason } from '../../domain/payments/payments.ts'
import type { PlanRules } from '../../domain/credits/plans.ts'
import type { Db, Pool, Tx } from '../postgres/client.ts'
import { pageClause, type IdPage } from '../postgres/id-pages.ts'
import { refillRules } from '../credits/ledger.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { findCustomer, listContacts } from './customers.ts'
import { failIntent, insertIntent, type Intent } from './intents.ts'

export type AutoTopUp = {
  enabled: boolean
  amountCents: number | null
  thresholdCents: number | null
  lastRunAt: Date | null
  lastError: string | null
}

const disabled: AutoTopUp = {
  enabled: false,
  amountCents: null,
  thresholdCents: null,
  lastRunAt: null,
  lastError: null,
}

export async function readAutoTopUp(db: Db, accountId: string): Promise<AutoTopUp> {
  const [row] = await db<AutoTopUp[]>`select ${columns(db)} from credit_balances where account_id = ${accountId}`
  return row ?? disabled
}

export type AutoTopUpChange = {
  enabled: boolean
  amountCents?: number | undefined
  thresholdCents?: number | undefined
}

/**
 * Changes the settings. Absent amounts do not change. Undefined, without any change, when the change enables top-ups but
 * the account has no card.
 */
export function changeAutoTopUp(
  db: Pool,
  accountId: string,
  { enabled, amountCents, thresholdCents }: AutoTopUpChange,
): Promise<AutoTopUp | undefined> {
  return db.begin(async (tx) => {
    if (enabled && !(await findCustomer(tx, accountId))?.defaultCard) return undefined
    await tx`insert into credit_balances (account_id) values (${accountId}) on conflict do nothing`
    const [row] = await tx<AutoTopUp[]>`
      update credit_balances set auto_topup_enabled = ${enabled},
        auto_topup_cents = coalesce(${amountCents ?? null}, auto_topup_cents),
        auto_topup_threshold_cents = coalesce(${thresholdCents ?? null}, auto_topup_threshold_cents),
        auto_topup_last_error = case when ${enabled} then null else auto_topup_last_error end
      where account_id = ${accountId} returning ${columns(tx)}`
    return row
  })
}

/** Returns the accounts whose automatic top-up is due. */
export function listDueTopUps(db: Db, plans: PlanRules, page: IdPage): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select account_id as id from credit_balances
    where ${isDue(db, plans)} and ${pageClause(db, page, 'account_id')}`
}

/**
 * Claims a due automatic top-up and returns its intent; undefined when none is due. The lock of the balance row serializes
 * claims, and only the first claim finds the top-up due. Safe to repeat: if a claimed intent was not charged, returns it
 * again.
 */
export function claimAutoTopUp(db: Pool, accountId: string, plans: PlanRules): Promise<string | undefined> {
  return db.begin(async (tx) => {
    const [dueTopUp] = await tx<{ lastRunAt: Date | null; amountCents: number }[]>`
      select auto_topup_last_run_at as last_run_at, auto_topup_cents as amount_cents
      from credit_balances where account_id = ${accountId} and ${isDue(tx, plans)} for update`
    if (dueTopUp === undefined) return findUnchargedIntent(tx, accountId)
    await tx`
      update credit_balances
      set auto_topup_last_run_at = date_trunc('milliseconds', now()), auto_topup_last_error = null
      where account_id = ${accountId}`
    return insertIntent(tx, {
      id: nextIntentId(accountId, dueTopUp.lastRunAt),
      accountId,
      purpose: 'auto_topup',
      credits: dueTopUp.amountCents * creditsPerCent,
      totalCents: dueTopUp.amountCents,
      path: 'card',
      cardId: (await findCustomer(tx, accountId))?.defaultCard?.id ?? null,
      successUrl: null,
    })
  })
}

/**
 * Fails a top-up whose card was declined and disables automatic top-up. Adds an email to the outbox in the same transaction
 * and returns its id. Undefined when the top-up had already ended, or the account has no address.
 */
export async function declineAutoTopUp(
  tx: Tx,
  { id, accountId }: Pick<Intent, 'id' | 'accountId'>,
  { code, billingUrl }: { code: string | undefined; billingUrl: string },
): Promise<string | undefined> {
  if (!(await failIntent(tx, id))) return undefined
  const { message } = declineReason(code)
  await tx`
    update credit_balances set auto_topup_enabled = false, auto_topup_last_error = ${message}
    where account_id = ${accountId}`
  const to = await listContacts(tx, accountId)
  if (to.length === 0) return undefined
  return enqueueMail(tx, { reference: `auto-top-up:${id}`, accountId, to, ...autoTopUpStopped(message, billingUrl) })
}

function columns(db: Db) {
  return db`
  auto_topup_enabled as enabled, auto_topup_cents as amount_cents, auto_topup_threshold_cents as threshold_cents,
  auto_topup_last_run_at as last_run_at, auto_topup_last_error as last_error`
}

/**
 * SQL condition: automatic top-up is enabled, the balance is below the threshold even with a due refill, the minimum time
 * since the last run has passed, and no earlier charge is unfinished.
 */
function isDue(db: Db, plans: PlanRules) {
  return db`
  auto_topup_enabled and remaining_credits < auto_topup_threshold_cents * ${creditsPerCent}::bigint
    and (auto_topup_last_run_at is null
      or auto_topup_last_run_at <= now() - make_interval(secs => ${autoTopUpGapSeconds}))
    and not exists (
      select 1 from payment_intents intent
      where intent.account_id = credit_balances.account_id and intent.purpose = 'auto_topup'
        and intent.state in ('created', 'pending')
    )
    and remaining_credits + (refill_of(account_id, ${refillRules(plans)}::text::jsonb, now())).missing
      < auto_topup_threshold_cents * ${creditsPerCent}::bigint`
}

/** Returns a claimed top-up that was not charged because its worker died. */
async function findUnchargedIntent(tx: Tx, accountId: string): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    select id from payment_intents
    where account_id = ${accountId} and purpose = 'auto_topup' and state = 'created'`
  return row?.id
}

/** Returns the id of the intent that follows the last run. It is deterministic, so that concurrent claims use the same id. */
function nextIntentId(accountId: string, lastRunAt: Date | null): string {
  const hex = createHash('sha256')
    .update(`auto-top-up\0${accountId}\0${lastRunAt?.getTime() ?? ''}`)
    .digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
