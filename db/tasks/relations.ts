import type { Db } from '../postgres/client.ts'

/** Returns the first email address of each account. Omits accounts without an address. */
export async function listFirstAddresses(db: Db, accountIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db<{ accountId: string; email: string }[]>`
    select distinct on (account_id) account_id, email from account_emails
    where account_id = any(${[...accountIds]}::uuid[]) order by account_id, created_at, id`
  return new Map(rows.map(({ accountId, email }) => [accountId, email]))
}

/** Returns the names of these artists, by id. Omits artists without a name. */
export async function listArtistNames(db: Db, artistIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db<{ id: string; name: string }[]>`
    select id, name from accounts
    where id = any(${[...artistIds]}::uuid[]) and kind = 'artist' and name is not null`
  return new Map(rows.map(({ id, name }) => [id, name]))
}
