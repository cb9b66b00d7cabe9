import type { Tag } from '../http/route.ts'

export const chatTag: Tag = {
  name: 'Chat',
  description: 'Turns: send a message, follow and resume its stream, stop it, run without a stream.',
}
