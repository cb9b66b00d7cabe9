import { z } from 'zod'
import { planSchema } from '../../domain/credits/plans.ts'
import type { Envelope, ErrorCode } from '../http/errors.ts'

const missingFields = z
  .array(z.union([z.string(), z.int()]))
  .optional()
  .meta({ description: 'Path of the first invalid field. Only in validation errors.' })
const requestId = z.string().optional().meta({ description: 'Only in a 500.' })

const errorSchemas: Record<Envelope, z.ZodObject> = {
  'status-code': z.object({ error: z.int(), message: z.string(), request_id: requestId }).meta({ id: 'ErrorE1' }),
  standard: z
    .object({
      status: z.literal('error'),
      error: z.string(),
      message: z.string().optional(),
      missing_fields: missingFields,
      request_id: requestId,
    })
    .meta({ id: 'ErrorE2' }),
  plain: z
    .object({ error: z.string(), missing_fields: missingFields, request_id: requestId })
    .meta({ id: 'ErrorPlain' }),
  sandbox: z
    .object({ status: z.literal('error'), error: z.string(), missing_fields: missingFields, request_id: requestId })
    .meta({ id: 'ErrorSandbox' }),
  tasks: z
    .object({
      status: z.literal('error').optional(),
      error: z.union([z.string(), z.int()]),
      message: z.string().optional(),
      missing_fields: missingFields,
      request_id: requestId,
    })
    .meta({ id: 'ErrorTasks', description: 'A 401 and a 403 have their status as `error`, and a `message`.' }),
  scrape: z
    .object({
      status: z.literal('error'),
      error: z.string(),
      message: z.string().meta({ description: 'The same text as `error`.' }),
      missing_fields: missingFields,
      request_id: requestId,
    })
    .meta({ id: 'ErrorScrape' }),
  claim: z.object({ status: z.literal('error'), error: z.string(), request_id: requestId }).meta({ id: 'ErrorClaim' }),
  blob: z
    .object({ error: z.object({ code: z.string(), message: z.string() }), request_id: requestId })
    .meta({ id: 'ErrorBlob', description: 'Error in the format of the upload library.' }),
}

const insufficientCredits = z
  .object({
    error: z.literal('insufficient_credits'),
    remaining_credits: z.int(),
    required_credits: z.int(),
    billingUrl: z.url(),
  })
  .meta({ id: 'InsufficientCredits', description: 'Credits are integer micro-dollars.' })

const planLimit = z.object({
  status: z.literal('error'),
  error: z.literal('plan_limit'),
  message: z.string(),
  plan: planSchema,
  billingUrl: z.url(),
})

const taskLimit = planLimit
  .extend({
    limit: z.enum(['task_count', 'min_cadence']),
    task_limit: z.int().min(1).nullable(),
    min_cadence_minutes: z.int().min(1),
    current_task_count: z.int().min(0),
  })
  .meta({ id: 'TaskLimit', description: 'A limit of null means no limit. Nothing was stored.' })

const mediaLimit = planLimit
  .extend({ limit: z.literal('media_bytes'), used_bytes: z.int().min(0), quota_bytes: z.int().min(0) })
  .meta({ id: 'MediaLimit', description: 'The media storage of the plan is full. Nothing was stored.' })

export const errorDescriptions: Record<ErrorCode, string> = {
  invalid_request: 'The request is malformed or a field is invalid.',
  sandbox_not_initialized: 'The sandbox of the session is not active.',
  unauthorized: 'The request has no credential, an invalid credential, or two credentials.',
  insufficient_credits: 'Not enough credits. Nothing was written.',
  plan_limit: 'The plan of the account does not allow the request. Nothing was written.',
  forbidden: 'The caller is not allowed to do this.',
  not_found: 'The resource or the path does not exist.',
  method_not_allowed: 'The path does not support this method.',
  request_timeout: 'The body was not received in time. The connection is closed.',
  conflict:
    'The state of the resource does not allow the request, or a request with this Idempotency-Key is in progress.',
  payload_too_large: 'The body exceeds the size limit of the route.',
  unsupported_media_type: 'The body is not application/json.',
  misdirected_request: 'The page is not served under this host name.',
  idempotency_mismatch: 'The Idempotency-Key was used for a different request.',
  rate_limited: 'Too many requests or open streams, or the caller has used its share of a limit.',
  internal: 'Unexpected server error.',
  not_done: 'The request was valid but failed.',
  bad_gateway: 'A service that the request depends on failed.',
  unavailable: 'Temporarily unavailable.',
  timeout: 'The operation did not finish in time and may still be running.',
}

/** Body schemas of the codes that have the same bodies in every envelope. */
const fixedSchemas: Partial<Record<ErrorCode, z.ZodObject[]>> = {
  insufficient_credits: [insufficientCredits],
  plan_limit: [taskLimit, mediaLimit],
}

/** Creates the body schema of an error with one of the codes, which have the same status. `fields`: additional fields. */
export function createErrorSchema(
  envelope: Envelope,
  codes: readonly ErrorCode[],
  fields: z.ZodRawShape = {},
): z.ZodType {
  const schemas = codes.map((code) => fixedSchemas[code] ?? [errorSchemas[envelope]])
  const [schema, ...others] = [...new Set(schemas.flat())].map((each) =>
    Object.keys(fields).length === 0 ? each : each.extend(fields),
  )
  if (schema === undefined) throw new Error('an error response needs a code')
  return others.length === 0 ? schema : z.union([schema, ...others])
}
