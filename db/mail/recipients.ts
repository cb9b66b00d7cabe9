import { isUuid } from '../../domain/fields/ids.ts'
import type { Db } from '../postgres/client.ts'

/** Returns the account's email addresses, oldest first; an empty list for an organization. */
export async function listOwnAddresses(db: Db, accountId: string): Promise<string[]> {
  const rows = await db<{ email: string }[]>`
    select email from account_emails where account_id = ${accountId} order by created_at, id`
  return rows.map(({ email }) => email)
}

export async function hasCardOnFile(db: Db, accountId: string): Promise<boolean> {
  const rows = await db`
    select 1 from payment_customers where account_id = ${accountId} and default_card is not null`
  return rows.length === 1
}

/** Returns the artist of a chat of the account. Undefined for a chat without an artist or of another account. */
export async function findArtistOfChat(db: Db, accountId: string, chatId: string): Promise<string | undefined> {
  if (!isUuid(chatId)) return undefined
  const [row] = await db<{ artistId: string }[]>`
    select artist.id as artist_id from chats
    join sessions on sessions.id = chats.session_id and sessions.account_id = ${accountId}
    join accounts as artist on artist.id = sessions.artist_id and artist.kind = 'artist'
    where chats.id = ${chatId}`
  return row?.artistId
}
