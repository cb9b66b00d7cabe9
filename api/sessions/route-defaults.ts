import { z } from 'zod'
import { mebibytes, type Tag } from '../http/route.ts'

const chatsTag: Tag = { name: 'Chats', description: 'Chats of a session and their messages.' }

/** Defaults of the routes of a session's chats. */
export const chatDefaults = {
  tag: chatsTag,
  auth: 'key-or-bearer',
  envelope: 'standard',
  bodyLimit: mebibytes(1),
  rate: 'default',
  ownership: 'The session must belong to the caller and contain the chat.',
} as const

export const chatParams = z.object({ sessionId: z.string(), chatId: z.string() })
