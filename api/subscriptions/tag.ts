import type { Tag } from '../http/route.ts'

export const subscriptionsTag: Tag = {
  name: 'Subscriptions',
  description: 'Plans that are paid by the month.',
}
