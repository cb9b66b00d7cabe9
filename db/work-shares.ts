import type { Logger } from 'pino'
import type { WorkOwner } from '../domain/runs/owner.ts'
import type { Db } from './postgres/client.ts'

/** Fairness key and weight of work in a shared queue: its account, and the weight of the account's plan. */
export type WorkShare = { fairnessKey: string; fairnessWeight: number }

const weightTtlMs = 60_000
const maxWeights = 10_000

type ShareDeps = { db: Db; enterpriseDomains: readonly string[]; log: Pick<Logger, 'warn'> }

/**
 * Returns a function that computes the share of an owner's work: undefined for a deleted owner, and while the database is
 * unavailable. The share of an account is returned immediately, because a turn must not wait for it. Until its weight is
 * read, the account has the weight of the free plan.
 */
export function createWorkShares({ db, enterpriseDomains, log }: ShareDeps) {
  const weights = new Map<string, { weight: number; until: number }>()
  const warn = (err: unknown): undefined => {
    log.warn({ err }, 'failed to read the share of a workflow')
    return undefined
  }

  const readWeight = async (accountId: string): Promise<void> => {
    const [row] = await db<{ weight: number }[]>`
      select fair_weight(${accountId}::uuid, ${[...enterpriseDomains]}::text[]) as weight`
    if (row === undefined) return
    if (weights.size >= maxWeights) weights.clear()
    weights.set(accountId, { weight: row.weight, until: performance.now() + weightTtlMs })
  }

  const readShare = (accountId: string): WorkShare => {
    const cached = weights.get(accountId)
    if (cached === undefined || cached.until < performance.now()) readWeight(accountId).catch(warn)
    return { fairnessKey: accountId, fairnessWeight: cached?.weight ?? 1 }
  }

  return (owner: WorkOwner): WorkShare | undefined | Promise<WorkShare | undefined> =>
    'accountId' in owner
      ? readShare(owner.accountId)
      : findAccount(db, owner).then((accountId) => (accountId === undefined ? undefined : readShare(accountId)), warn)
}

type LinkedOwner = Exclude<WorkOwner, { accountId: string }>

async function findAccount(db: Db, owner: LinkedOwner): Promise<string | undefined> {
  const [row] = await db<{ accountId: string | null }[]>`${selectAccount(db, owner)}`
  return row?.accountId ?? undefined
}

function selectAccount(db: Db, owner: LinkedOwner) {
  if ('runId' in owner) return db`select account_id from runs where id = ${owner.runId}`
  if ('jobId' in owner) return db`select account_id from background_runs where id = ${owner.jobId}`
  if ('sessionId' in owner) return db`select account_id from sessions where id = ${owner.sessionId}`
  if ('mailId' in owner) return db`select account_id from email_send_log where id = ${owner.mailId}`
  return db`
    select session.account_id from chats chat join sessions session on session.id = chat.session_id
    where chat.id = ${owner.chatId}`
}
