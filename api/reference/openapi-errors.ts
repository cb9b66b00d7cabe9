import { z } from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { statuses, type Envelope, type ErrorCode } from '../http/errors.ts'
import type { Route } from '../http/route.ts'
import { errorDescriptions, createErrorSchema } from './error-schemas.ts'
import { rateLimitHeaders, referToHeaders, pascalCase, type DocumentedHeader } from './openapi-headers.ts'

/** Prefixes of component names. For example, `E2Conflict` is the 409 in the `standard` envelope. */
const envelopeNames: Record<Envelope, string> = {
  'status-code': 'E1',
  standard: 'E2',
  plain: 'Plain',
  sandbox: 'Sandbox',
  claim: 'Claim',
  tasks: 'Tasks',
  blob: 'Blob',
  scrape: 'Scrape',
}

// Client generators do not support a type whose only value is null.
const alwaysNull = z.looseObject({}).nullable().meta({ description: 'Always null in an error.' })

/** Additional headers of errors by status. */
const headersByStatus: Readonly<Record<number, readonly DocumentedHeader[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  415: ['Accept'],
  409: ['x-workflow-run-id', 'Retry-After'],
  429: ['Retry-After'],
  502: ['Retry-After'],
  503: ['Retry-After'],
  504: ['Retry-After'],
}

/** The 405 response of all paths. No operation contains it. */
export const methodNotAllowed: ZodOpenApiResponseObject = describeErrors('standard', 405, ['method_not_allowed'], {})

/**
 * Creates a function that returns the error responses of a route by status. Routes with the same envelope share one component
 * for the same codes, so that the document and generated clients describe each error once.
 */
export function createErrorResponses(): (
  route: Route,
  codes: readonly ErrorCode[],
) => Map<number, ZodOpenApiResponseObject> {
  const responsesById = new Map<string, ZodOpenApiResponseObject>()

  const buildResponse = (route: Route, status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject => {
    const fields = listErrorFields(route, status)
    if (Object.keys(fields).length > 0) return describeErrors(route.envelope, status, codes, fields)
    const id = envelopeNames[route.envelope] + codes.map((code) => pascalCase(code, '_')).join('')
    const response = responsesById.get(id) ?? { id, ...describeErrors(route.envelope, status, codes, {}) }
    responsesById.set(id, response)
    return response
  }

  return (route, codes) => {
    const sorted = codes.toSorted()
    const routeStatuses = new Set(sorted.map((code) => statuses[code]))
    return new Map(
      [...routeStatuses].map((status) => {
        const codesOfStatus = sorted.filter((code) => statuses[code] === status)
        return [status, buildResponse(route, status, codesOfStatus)]
      }),
    )
  }
}

function describeErrors(
  envelope: Envelope,
  status: number,
  codes: readonly ErrorCode[],
  fields: z.ZodRawShape,
): ZodOpenApiResponseObject {
  const limitHeaders = status === 401 ? [] : rateLimitHeaders
  return {
    description: codes.map((code) => errorDescriptions[code]).join(' '),
    headers: referToHeaders([...limitHeaders, ...(headersByStatus[status] ?? [])]),
    content: { 'application/json': { schema: createErrorSchema(envelope, codes, fields) } },
  }
}

/** Fields that this route adds to the error body of its envelope. */
function listErrorFields({ errorFields = {}, errorFieldsByStatus = {} }: Route, status: number): z.ZodRawShape {
  const nulls = Object.keys(errorFields).map((name) => [name, alwaysNull] as const)
  return { ...(status === 400 && Object.fromEntries(nulls)), ...errorFieldsByStatus[status] }
}
