import { z } from 'zod'
import { readCredits, type Credits } from '../../db/credits/credits.ts'
import { planSchema } from '../../domain/credits/plans.ts'
import { resolveReadable } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { route, ok, standardRoute, type Route } from '../http/route.ts'
import { uuid } from '../../domain/fields/fields.ts'

export function creditsRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    path: '/api/accounts/{id}/credits',
    summary: 'Read the credits of an account',
    description: 'remaining_credits includes a refill that is due. Reading does not perform the refill.',
    responses: {
      200: z.object({
        account_id: z.guid(),
        remaining_credits: z.int(),
        reserved_credits: z.int(),
        total_credits: z.int(),
        used_credits: z.int(),
        plan: planSchema,
        is_pro: z.boolean(),
        timestamp: z.iso.datetime().nullable(),
      }),
    },
    errors: ['forbidden'],
    authorize: ({ caller, params }) => resolveReadable(deps, caller, params.id),
    handle: async ({ params }) => {
      const credits = await readCredits(deps.db, params.id, deps.config.plans)
      return ok({
        account_id: params.id,
        ...toAmounts(credits),
        plan: credits.plan,
        is_pro: credits.plan === 'pro',
        timestamp: credits.refilledAt?.toISOString() ?? null,
      })
    },
  })
}

/** Returns zeros for an account without a balance row. */
function toAmounts({ balance, refill, reserved, allotment }: Credits) {
  if (balance === null) return { remaining_credits: 0, reserved_credits: 0, total_credits: 0, used_credits: 0 }
  const remaining = balance + refill
  return {
    remaining_credits: remaining,
    reserved_credits: reserved,
    total_credits: allotment,
    used_credits: Math.max(0, allotment - remaining),
  }
}

export const routeDefaults = {
  ...standardRoute,
  method: 'GET',
  tag: { name: 'Credits', description: 'Balance, ledger and usage of an account.' },
  ownership: 'The caller, or an account that the caller may act for; 403 for any other account, known or unknown.',
  envelope: 'plain',
  params: z.object({ id: uuid }),
} as const
