import type { Tag } from '../http/route.ts'

export const subscriptionsTag: Tag = {
  name: 'Subscriptions',
  description: 'Plans with a monthly payment.',
}
