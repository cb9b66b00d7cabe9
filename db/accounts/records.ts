import type { AccountChanges, AccountRecord } from '../../domain/accounts/accounts.ts'
import type { Db, Tx } from '../postgres/client.ts'

/** Returns the account's record; undefined for an unknown id. */
export async function findAccount(db: Db, accountId: string): Promise<AccountRecord | undefined> {
  const [row] = await db<AccountRecord[]>`
    select accounts.id, kind, name, image, instruction, organization, job_title, role_type,
      company_name, coalesce(knowledges, '[]') as knowledges,
      (
        select coalesce(json_agg(email order by created_at, id), '[]') from account_emails
        where account_id = accounts.id
      ) as emails,
      accounts.created_at, greatest(accounts.updated_at, account_info.updated_at) as updated_at
    from accounts left join account_info on account_info.account_id = accounts.id
    where accounts.id = ${accountId}`
  return row
}

export async function readAccount(db: Db, accountId: string): Promise<AccountRecord> {
  const account = await findAccount(db, accountId)
  if (account === undefined) throw new Error(`account ${accountId} does not exist`)
  return account
}

export async function findAccountIdByEmail(db: Db, email: string): Promise<string | undefined> {
  const [row] = await db<{ accountId: string }[]>`
    select account_id from account_emails where email = ${email}`
  return row?.accountId
}

/** Updates the fields of `changes`. Null clears a field; absent fields keep their values. */
export async function updateAccount(tx: Tx, accountId: string, changes: AccountChanges): Promise<void> {
  const { name, knowledges, ...info } = changes
  await tx`update accounts set name = coalesce(${name ?? null}, name) where id = ${accountId}`
  await tx`
    insert into account_info (account_id) values (${accountId})
    on conflict (account_id) do update set updated_at = now()`
  if (knowledges !== undefined)
    await tx`
      update account_info set knowledges = ${JSON.stringify(knowledges)}::text::jsonb where account_id = ${accountId}`
  if (Object.keys(info).length > 0) await tx`update account_info set ${tx(info)} where account_id = ${accountId}`
}
