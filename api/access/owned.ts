import { findChat } from '../../db/sessions/chats.ts'
import type { Db } from '../../db/postgres/client.ts'
import { mayUseRepository } from '../../db/repositories.ts'
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

/** The session, for its owner only: absent is 404, another account's is 403. */
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
 * The session for what works in its sandbox: for its owner, while that is a member of the organization whose repository
 * the sandbox holds; else 403.
 */
export async function workingSession(db: Db, caller: Caller, sessionId: string): Promise<SessionRow> {
  const session = await ownedSession(db, caller, sessionId)
  if (!(await mayUseRepository(db, session))) throw repositoryDenied()
  return session
}

/** A chat under a session, for the session's owner only. The session answers before the chat. */
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
