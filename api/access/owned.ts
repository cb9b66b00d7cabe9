import { findChat } from '../../db/sessions/chats.ts'
import type { Db } from '../../db/postgres/client.ts'
import { mayUseRepository } from '../../db/repositories/access.ts'
import { findSession } from '../../db/sessions/sessions.ts'
import type { ChatRow } from '../../domain/chat/chats.ts'
import type { SessionRow } from '../../domain/sessions/sessions.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'

/** Returns the session if the caller owns it. Throws 404 if it does not exist, and 403 if it belongs to another account. */
export async function requireOwnSession(db: Db, caller: Caller, sessionId: string): Promise<SessionRow> {
  const session = await findSession(db, sessionId)
  if (session === undefined) throw notFound('Session')
  if (session.ownerId !== caller.accountId) throw new ApiError('forbidden', 'Forbidden')
  return session
}

export function repositoryDenied(): ApiError {
  return new ApiError('forbidden', 'Access denied to this organization')
}

/**
 * Returns the session for a route that uses its sandbox. Throws 403 unless the owner is still a member of the organization
 * whose repository the sandbox contains.
 */
export async function requireUsableSession(db: Db, caller: Caller, sessionId: string): Promise<SessionRow> {
  const session = await requireOwnSession(db, caller, sessionId)
  if (!(await mayUseRepository(db, session))) throw repositoryDenied()
  return session
}

/** Returns a chat of a session that the caller owns. The session is checked before the chat. */
export async function requireOwnChat(
  db: Db,
  caller: Caller,
  { sessionId, chatId }: { sessionId: string; chatId: string },
): Promise<ChatRow> {
  const session = await requireOwnSession(db, caller, sessionId)
  const chat = await findChat(db, chatId)
  if (chat?.sessionId !== session.id) throw notFound('Chat')
  return chat
}
