import type { Tag } from '../../http/route.ts'

export const sharesTag: Tag = { name: 'Shares', description: 'Read-only links to chats, and the pages that they show.' }
