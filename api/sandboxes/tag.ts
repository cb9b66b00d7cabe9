import type { Tag } from '../http/route.ts'

export const sandboxTag: Tag = {
  name: 'Sandbox',
  description: 'The sandbox of a session.',
}
