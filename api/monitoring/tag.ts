import type { Tag } from '../http/route.ts'

export const serviceTag: Tag = {
  name: 'Service',
  description: 'Health, metrics and this document.',
}
