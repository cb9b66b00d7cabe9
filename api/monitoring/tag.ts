import type { Tag } from '../http/route.ts'

export const serviceTag: Tag = {
  name: 'Service',
  description: 'Health checks and this document.',
}
