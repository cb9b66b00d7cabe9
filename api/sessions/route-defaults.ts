import { z } from 'zod'
import { mebibytes, standardRoute, type Tag } from '../http/route.ts'

const chatsTag: Tag = { name: 'Chats', description: 'Chats of a session and their messages.' }

/** Defaults of the routes of a session's chats. */
export const chatDefaults = {
  ...standardRoute,
  tag: chatsTag,
  bodyLimit: mebibytes(1),
  ownership: 'The session must belong to the caller and contain the chat.',
} as const

export const chatParams = z.object({ sessionId: z.string(), chatId: z.string() })

export const sessionsTag: Tag = {
  name: 'Sessions',
  description: 'Sessions: a sandbox, a repository and chats.',
}
