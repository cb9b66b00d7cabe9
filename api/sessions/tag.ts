import type { Tag } from '../http/route.ts'

export const sessionsTag: Tag = {
  name: 'Sessions',
  description: 'Sessions: a sandbox, a repository and chats.',
}

export const chatsTag: Tag = { name: 'Chats', description: 'Chats of a session and their messages.' }
