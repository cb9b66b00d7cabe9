import type { Tag } from '../http/route.ts'

export const chatTag: Tag = {
  name: 'Chat',
  description: 'Turns of a chat: send a message, read and resume its stream, stop it, or run headless.',
}
