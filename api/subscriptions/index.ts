import { z } from 'zod'
import { authorizeRead, pathAccountRoute, subscriptionsTag, type PaymentDeps } from '../payments/route-defaults.ts'
import { route, ok, type Route } from '../http/route.ts'
import { claimRoute } from './claim.ts'
import { subscriptionSessionRoute } from './sessions.ts'
import { readPlans } from '../../db/credits/plans.ts'
import { listSubscriptions } from '../../db/payments/subscriptions.ts'
import { chooseSubscription, showSubscription, subscriptionStatuses } from '../../domain/payments/subscriptions.ts'
import type { RouteDeps } from '../deps.ts'

export function subscriptionRoutes(deps: PaymentDeps): Route[] {
  return [subscriptionSessionRoute(deps), claimRoute(deps), subscriptionRoute(deps)]
}

function subscriptionRoute(deps: RouteDeps): Route {
  return route({
    ...pathAccountRoute,
    tag: subscriptionsTag,
    method: 'GET',
    path: '/api/accounts/{id}/subscription',
    summary: 'Read the subscription of an account',
    description:
      '`source` states whether the subscription belongs to the account or to one of its organizations. `isPro` considers both, and email domains on the pro plan.',
    responses: {
      200: z.object({
        isPro: z.boolean(),
        status: z.enum(subscriptionStatuses),
        plan: z.enum(['starter', 'pro']).nullable(),
        source: z
          .enum(['account', 'organization'])
          .nullable()
          .meta({ description: 'Owner of the subscription; null without a subscription.' }),
        name: z.string().nullable(),
        amountCents: z.int().nullable(),
        currency: z.string().nullable(),
        interval: z.string().nullable(),
        currentPeriodEnd: z.iso.datetime().nullable(),
        cancelAtPeriodEnd: z.boolean().nullable(),
      }),
    },
    errors: ['forbidden'],
    authorize: authorizeRead(deps),
    handle: async ({ params: { id } }) => {
      const [plans, subscriptions] = await Promise.all([
        readPlans(deps.db, id, deps.config.plans),
        listSubscriptions(deps.db, id),
      ])
      return ok({ isPro: plans.limits === 'pro', ...showSubscription(chooseSubscription(subscriptions)) })
    },
  })
}
