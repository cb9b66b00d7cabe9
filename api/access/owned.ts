import { findChat } from '../../db/sessions/chats.ts'
import type { Db } from '../../db/postgres/client.ts'
import { mayUseRepository } from '../../db/repositories/access.ts'
import { findSession } from '../../db/sessions/sessions.ts'
import type { ChatRow } from '../../domain/chat/chats.ts'
import type { SessionRow } from '../../domain/sessions/sessions.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'

export function sessionNotFound(): ApiError {
  return new ApiError('not_found', 'Session not found')
}

export function chatNotFound(): ApiError {
  return new ApiError('not_found', 'Chat not found')
}

/** Returns the session to its owner: 404 for a missing session, 403 for another account's. */
export async function ownedSession(db: Db, caller: Caller, sessionId: string): Promise<SessionRow> {
  const session = await findSession(db, sessionId)
  if (session === undefined) throw sessionNotFound()
  if (session.ownerId !== caller.accountId) throw new ApiError('forbidden', 'Forbidden')
  return session
}

export function repositoryDenied(): ApiError {
  return new ApiError('forbidden', 'Access denied to this organization')
}

/**
 * Returns the session for routes that use its sandbox: its owner must still be a member of the organization whose
 * repository the sandbox holds; otherwise 403.
 */
export async function workingSession(db: Db, caller: Caller, sessionId: string): Promise<SessionRow> {
  const session = await ownedSession(db, caller, sessionId)
  if (!(await mayUseRepository(db, session))) throw repositoryDenied()
  return session
}

/** Returns a chat of a session to the session's owner. Errors of the session precede those of the chat. */
export async function ownedChat(
  db: Db,
  caller: Caller,
  { sessionId, chatId }: { sessionId: string; chatId: string },
): Promise<ChatRow> {
  const session = await ownedSession(db, caller, sessionId)
  const chat = await findChat(db, chatId)
  if (chat?.sessionId !== session.id) throw chatNotFound()
  return chat
}
