import type { oas31 } from 'zod-openapi'

const text: oas31.SchemaObject = { type: 'string' }
const integer: oas31.SchemaObject = { type: 'integer' }

/** Response headers, by their names on the wire. */
const headers = {
  'x-request-id': { description: 'The `x-request-id` of the request, or a new id.', schema: text },
  'RateLimit-Limit': { description: 'Maximum number of requests per minute, or per hour for signup.', schema: integer },
  'RateLimit-Remaining': { description: 'Remaining requests in the current window.', schema: integer },
  'RateLimit-Reset': { description: 'Seconds until the window ends.', schema: integer },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: integer },
  'Idempotency-Replayed': {
    description: '`true` when this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: text,
  },
  'x-workflow-run-id': { description: 'Id of the run.', schema: text },
  'x-workflow-stream-tail-index': {
    description: 'Index of the last frame that was stored when the stream was opened.',
    schema: integer,
  },
  Location: { description: 'Path of the new resource.', schema: text },
  Allow: { description: 'The methods of this path.', schema: text },
  Accept: { description: 'The media type that the route accepts.', schema: text },
  'WWW-Authenticate': { description: 'The authentication schemes of this API.', schema: text },
} satisfies Record<string, oas31.HeaderObject>

export type DocumentedHeader = keyof typeof headers

export const rateLimitHeaders: readonly DocumentedHeader[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
]

/** The headers as components, so that the document describes each header once. */
export const headerComponents: oas31.HeadersObject = Object.fromEntries(
  Object.entries(headers).map(([name, header]) => [componentName(name), header]),
)

/** Returns references to the named headers and to `x-request-id`, which every response has. */
export function referToHeaders(names: readonly DocumentedHeader[]): Record<string, oas31.ReferenceObject> {
  return Object.fromEntries(
    ['x-request-id', ...names].map((name) => [name, { $ref: `#/components/headers/${componentName(name)}` }]),
  )
}

/** Converts `x-request-id` to `RequestId`. */
function componentName(header: string): string {
  return pascalCase(header.replace(/^x-/, ''), '-')
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Converts `not_found` with the separator `_` to `NotFound`. */
export function pascalCase(name: string, separator: string): string {
  return name.split(separator).map(capitalize).join('')
}
