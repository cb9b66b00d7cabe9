import type { Tag } from '../http/route.ts'

export const paymentsTag: Tag = {
  name: 'Payments',
  description: 'Buying credits, the card on file and automatic top-ups.',
}
