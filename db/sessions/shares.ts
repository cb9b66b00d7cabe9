import { createHash, randomBytes } from 'node:crypto'
import type { ShareRow } from '../../domain/chat/shares.ts'
import type { Db, Tx } from '../postgres/client.ts'

/** Returns a token of 43 characters: 32 random bytes in base64url. */
export function newShareToken(): string {
  return randomBytes(32).toString('base64url')
}

export type NewShare = {
  token: string
  chatId: string
  branchId: string | null
  last: { id: string; position: number; parts: number }
  toolOutputs: boolean
  expiresInDays: number
}

export async function insertShare(tx: Tx, share: NewShare): Promise<ShareRow> {
  const [row] = await tx<[ShareRow]>`
    insert into chat_shares (token_hash, chat_id, branch_id, last_position, last_message_id, last_parts, tool_outputs,
      expires_at)
    values (${hashToken(share.token)}, ${share.chatId}, ${share.branchId}, ${share.last.position}, ${share.last.id},
      ${share.last.parts}, ${share.toolOutputs}, now() + make_interval(days => ${share.expiresInDays}::int))
    returning ${columns(tx)}`
  return row
}

/** Returns the links to a chat, oldest first, including expired links. */
export function listShares(db: Db, chatId: string): Promise<ShareRow[]> {
  return db<ShareRow[]>`
    select ${columns(db)} from chat_shares where chat_id = ${chatId} order by created_at, id`
}

/** Deletes a link to a chat. Returns false when the chat has no such link. */
export async function deleteShare(db: Db, chatId: string, id: string): Promise<boolean> {
  const deleted = await db`delete from chat_shares where chat_id = ${chatId} and id = ${id}`
  return deleted.count > 0
}

/** Data that the holder of a share token can read. */
export type OpenShare = ShareRow & { title: string; ownerId: string; lastPosition: number; lastParts: number }

/** Returns the share of a token. Undefined for an unknown, revoked or expired token. */
export async function findOpenShare(db: Db, token: string): Promise<OpenShare | undefined> {
  const [row] = await db<OpenShare[]>`
    select ${columns(db)}, last_position, last_parts, chats.title, sessions.account_id as owner_id
    from chat_shares join chats on chats.id = chat_id join sessions on sessions.id = chats.session_id
    where token_hash = ${hashToken(token)} and chat_shares.expires_at > now()`
  return row
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function columns(db: Db) {
  return db`
  chat_shares.id, chat_shares.chat_id, chat_shares.branch_id, chat_shares.last_message_id, chat_shares.tool_outputs,
  chat_shares.created_at, chat_shares.expires_at`
}
