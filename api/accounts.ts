import { z } from 'zod'
import { kibibytes, route } from './route.ts'
import type { Route } from './route.ts'

export const accountRoutes = (): Route[] => [
  route({
    method: 'GET',
    path: '/api/accounts/id',
    tag: 'Accounts',
    summary: "The caller's account id",
    auth: 'key-or-bearer',
    ownership: 'Shows the caller only.',
    envelope: 'e2',
    bodyLimit: kibibytes(256),
    rate: 'default',
    responses: {
      200: z.object({ status: z.literal('success'), accountId: z.guid(), account_id: z.guid() }),
    },
    errors: ['unauthorized'],
    handle: async ({ caller: { accountId } }) => ({
      status: 200,
      body: { status: 'success', accountId, account_id: accountId },
    }),
  }),
]
