import { z } from 'zod'
import { requireStorable } from './body/json.ts'
import { ApiError, invalidField } from './errors.ts'
import type { Route } from './route.ts'
import { parseQuery, validate } from './validate.ts'

const noFields = z.object({})

export function readFields(route: Route, querystring: string, value: unknown): { body: unknown; query: unknown } {
  // Requests to open routes come from third parties, which define the spelling of their fields.
  const respell = route.auth === 'none' ? (_: unknown, fields: unknown) => fields : respellAccountFields
  let body: unknown
  try {
    const fields = respell(route.body ?? noFields, value, 'body')
    body = route.body && validate(route.body, fields, 'body')
    // Checked after the validation, which removes undeclared fields.
    requireStorable(body)
  } catch (error) {
    throw replaceBodyError(route, error)
  }
  const query = respell(route.query ?? noFields, parseQuery(querystring, route.query ?? noFields), 'query')
  return { body, query: route.query && validate(route.query, query, 'query') }
}

export function replaceBodyError({ invalidBody }: Route, error: unknown): unknown {
  return invalidBody !== undefined && error instanceof ApiError && error.code === 'invalid_request'
    ? new ApiError(invalidBody.code, invalidBody.message)
    : error
}

/** Fields that name an account, each with its two spellings. */
const spellings: readonly (readonly [string, string])[] = [
  ['account_id', 'accountId'],
  ['organization_id', 'organizationId'],
  ['artist_account_id', 'artistAccountId'],
]

/**
 * Returns the query or body with its account fields in the spelling that the route declares. Throws 400 for an account field
 * that the route does not declare in this place: ignoring it would let the request act for another account than intended.
 */
function respellAccountFields(schema: z.ZodType, input: unknown, place: 'query' | 'body'): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  if (!spellings.flat().some((name) => Object.hasOwn(input, name))) return input
  const declared = listFields(schema)
  if (declared === undefined) return input
  const fields: Record<string, unknown> = { ...input }
  for (const pair of spellings) {
    const [spelling, other] = pair.filter((name) => Object.hasOwn(fields, name) && fields[name] !== undefined)
    if (spelling === undefined || pair.every((name) => declared.has(name))) continue
    if (other !== undefined && fields[spelling] !== fields[other])
      rejectField(other, `${spelling} and ${other} name the same field: send one of them`)
    const target = pair.find((name) => declared.has(name))
    if (target === undefined) rejectField(spelling, `${spelling} is not a field of this ${place}`)
    const value = fields[spelling]
    for (const name of pair) delete fields[name]
    fields[target] = value
  }
  return fields
}

/** Returns the top-level fields of a schema; undefined if the schema accepts any. */
function listFields(schema: z.ZodType): ReadonlySet<string> | undefined {
  if (schema instanceof z.ZodObject) return new Set(Object.keys(schema.shape))
  if (schema instanceof z.ZodPipe) return listFields(schema.in as z.ZodType)
  if (!(schema instanceof z.ZodUnion)) return undefined
  const options = (schema.options as readonly z.ZodType[]).map(listFields)
  return options.includes(undefined) ? undefined : new Set(options.flatMap((names) => [...(names ?? [])]))
}

function rejectField(name: string, message: string): never {
  throw invalidField(message, name)
}
