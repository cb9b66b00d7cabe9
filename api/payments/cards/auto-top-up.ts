import { z } from 'zod'
import { changeAutoTopUp, readAutoTopUp, type AutoTopUp } from '../../../db/payments/auto-top-up.ts'
import type { RouteDeps } from '../../deps.ts'
import { ApiError } from '../../http/errors.ts'
import { route, type Route } from '../../http/route.ts'
import { authorizeChange, authorizeRead, pathAccountRoute, paymentsTag } from '../route-defaults.ts'
import { toWire } from '../../../domain/wire.ts'

const path = '/api/accounts/{id}/auto-top-up'

const body = z
  .object({
    enabled: z.boolean(),
    amountCents: z.int().min(500).max(100_000).optional(),
    thresholdCents: z.int().min(0).optional(),
  })
  .superRefine(({ enabled, amountCents, thresholdCents }, ctx) => {
    const addIssue = (name: string, message: string): void => ctx.addIssue({ code: 'custom', path: [name], message })
    if (enabled && amountCents === undefined) addIssue('amountCents', 'is required')
    else if (enabled && thresholdCents === undefined) addIssue('thresholdCents', 'is required')
    else if (thresholdCents !== undefined && (amountCents === undefined || thresholdCents >= amountCents))
      addIssue('thresholdCents', 'must be below amountCents')
  })

const responseSchema = z.object({
  account_id: z.guid(),
  enabled: z.boolean(),
  amountCents: z.int().nullable(),
  thresholdCents: z.int().nullable(),
  lastRunAt: z.iso.datetime().nullable(),
  lastError: z.string().nullable(),
})

export function autoTopUpRoutes(deps: RouteDeps): Route[] {
  return [
    route({
      ...pathAccountRoute,
      tag: paymentsTag,
      method: 'GET',
      path,
      summary: 'Read the settings of automatic top-up',
      responses: { 200: responseSchema },
      errors: ['forbidden'],
      authorize: authorizeRead(deps),
      handle: async ({ params }) => ({
        status: 200,
        body: toAutoTopUpResponse(params.id, await readAutoTopUp(deps.db, params.id)),
      }),
    }),
    route({
      ...pathAccountRoute,
      tag: paymentsTag,
      method: 'PUT',
      widensAccess: true,
      path,
      summary: 'Configure automatic top-up',
      description:
        'Charges `amountCents`, without a fee, to the card on file when the balance falls below `thresholdCents`, at most once in ten minutes. A declined card disables automatic top-up and emails the owner.',
      example: { enabled: true, amountCents: 2000, thresholdCents: 500 },
      body,
      responses: { 200: responseSchema },
      authorize: authorizeChange(deps),
      handle: async ({ params, body }) => {
        const newSettings = await changeAutoTopUp(deps.db, params.id, body)
        if (newSettings === undefined) throw new ApiError('invalid_request', 'enabled requires a card on file')
        return { status: 200, body: toAutoTopUpResponse(params.id, newSettings) }
      },
    }),
  ]
}

function toAutoTopUpResponse(accountId: string, settings: AutoTopUp): z.output<typeof responseSchema> {
  return toWire(responseSchema, { ...settings, accountId })
}
