import { z } from 'zod'
import { queryInteger, text, uuid } from '../fields/fields.ts'
import { actionSlug, toolkitSlug } from './connector.ts'

const slug = z.string().regex(toolkitSlug, 'must be the slug of a connector')
const action = z.string().regex(actionSlug, 'must have 1 to 200 characters of A-Z, 0-9 and _')
const account = uuid.optional().meta({
  description: 'Account or artist that the connection belongs to. Default: the caller.',
})

export const accountQuery = z.object({ account_id: account })

export const actionQuery = z.object({
  account_id: account,
  connector: slug.optional(),
  limit: queryInteger(1, 1000, 1000),
  offset: queryInteger(0, 1_000_000, 0),
})

/** `callbackUrl`: schema of the redirect targets that this deployment allows. */
export function authorizeBody<T extends z.ZodType>(callbackUrl: T) {
  return z.object({ connector: slug, callback_url: callbackUrl, account_id: account })
}

const code = text(1, 200).meta({ description: 'The value after `#confirm=` in the URL of the confirmation page.' })
export const confirmBody = z.object({ code })
export const decideBody = z.object({ code, connect: z.boolean() })

export const disconnectBody = z.object({ connected_account_id: text(1, 200), account_id: account })

export const executeBody = z.object({
  actionSlug: action,
  parameters: z.record(z.string(), z.unknown()),
  account_id: account,
})

export const actionFileBody = z.object({ url: text(1, 2048), actionSlug: action, account_id: account })
