import { z } from 'zod'
import { membershipStates, type Membership } from '../../db/organizations/memberships.ts'
import { kibibytes } from '../http/route.ts'

export const routeDefaults = {
  tag: { name: 'Organizations', description: 'Organizations, their members and invitations.' },
  auth: 'key-or-bearer',
  envelope: 'standard',
  bodyLimit: kibibytes(256),
  rate: 'default',
} as const

export const managerOwnership = 'Members of the organization and of the admin organization.'

export const maxOffset = 1_000_000

export const membershipState = z.enum(membershipStates)

export const membershipResponse = z.object({
  status: z.literal('success'),
  id: z.guid(),
  account_id: z.guid(),
  state: membershipState,
})

export function toMembershipResponse({ id, accountId, state }: Membership) {
  return {
    status: 200 as const,
    body: { status: 'success' as const, id, account_id: accountId, state },
  }
}
