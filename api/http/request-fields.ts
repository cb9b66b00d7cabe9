import { z } from 'zod'
import { respellAccountFields } from './account-fields.ts'
import { requireStorable } from './body/json.ts'
import { ApiError } from './errors.ts'
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
