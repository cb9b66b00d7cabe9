import type { Tag } from '../http/route.ts'

export const sessionsTag: Tag = {
  name: 'Sessions',
  description: 'Sessions: a sandbox, a repository and chats.',
}
