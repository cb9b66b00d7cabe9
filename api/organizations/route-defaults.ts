import { z } from 'zod'
import { membershipStates, type Membership } from '../../db/organizations/memberships.ts'
import { success, standardRoute } from '../http/route.ts'
import { successOf } from '../../domain/fields/fields.ts'

export const routeDefaults = {
  ...standardRoute,
  tag: { name: 'Organizations', description: 'Organizations, their members and invitations.' },
} as const

export const managerOwnership = 'Members of the organization and of the admin organization.'

export const maxOffset = 1_000_000

export const membershipState = z.enum(membershipStates)

export const membershipResponse = successOf({ id: z.guid(), account_id: z.guid(), state: membershipState })

export function toMembershipResponse({ id, accountId, state }: Membership) {
  return success({ id, account_id: accountId, state })
}
