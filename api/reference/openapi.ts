import { z } from 'zod'
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { ErrorCode } from '../http/errors.ts'
import { createErrorResponses, methodNotAllowed } from './openapi-errors.ts'
import {
  headerComponents,
  rateLimitHeaders,
  referToHeaders,
  capitalize,
  type DocumentedHeader,
} from './openapi-headers.ts'
import { jsonComponents, addRequestChecks } from './openapi-requests.ts'
import { describeFields } from './descriptions/index.ts'
import { mapOperations } from './operations.ts'
import { makePortable } from './portable-schemas.ts'
import { addResponseExamples } from './response-examples.ts'
import type { Route, Tag } from '../http/route.ts'

const text: oas31.SchemaObject = { type: 'string' }
const binary: oas31.SchemaObject = {}
/** Schema of an event as an SSE parser returns it. */
const streamEvent: oas31.SchemaObject = {
  type: 'object',
  description: 'One server-sent event. Comments keep the connection open.',
  properties: {
    id: { type: 'string', pattern: '^[0-9]{1,16}$', description: 'Index of the frame.' },
    event: { const: 'message', description: 'Never sent; clients assume this default.' },
    data: {
      type: 'string',
      description: 'A frame: a JSON object with a `type`. After the frame of type `finish`, `[DONE]` is sent once.',
      examples: ['{"type":"text-delta","id":"txt_0_1_0","delta":"Hello"}', '[DONE]'],
    },
  },
  required: ['data'],
}
const lastEventParameter = z.object({
  'Last-Event-ID': z
    .string()
    // A number up to nearly 2^53. Header values are text, so the pattern expresses the limit.
    .regex(/^(?:[0-9]{1,15}|[0-8][0-9]{15}|900[0-6][0-9]{12})$/)
    .optional()
    .meta({
      description:
        'Index of the last received frame. The stream continues after this frame. Takes precedence over `startIndex`.',
    }),
})
const idempotencyParameter = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[!-~]{1,255}$/)
    .optional()
    .meta({
      description: 'Visible ASCII. Within 24 hours, the same request with the same key returns the same response.',
    }),
})

/** Returns the error codes that the route declares, and those that the dispatcher can return for it. */
export function listErrorCodes(route: Route): ErrorCode[] {
  const dispatcherCodes: ErrorCode[] = [
    ...(route.auth === 'none' ? [] : (['unauthorized', 'rate_limited', 'unavailable'] as const)),
    ...(route.params !== undefined || route.query !== undefined ? (['invalid_request'] as const) : []),
    ...(route.method === 'GET' ? [] : (['request_timeout'] as const)),
    ...(readsBody(route) ? (['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(route.idempotent !== undefined ? (['conflict', 'idempotency_mismatch'] as const) : []),
    ...(route.widensAccess === undefined ? [] : (['forbidden'] as const)),
    'internal',
  ]
  return [...new Set([...(route.errors ?? []), ...dispatcherCodes])]
}

/** Builds an operation id, such as `getSessionsBySessionIdChats`, from the method and the words of the path. */
export function buildOperationId({ method, path }: Route): string {
  return (
    method.toLowerCase() +
    path
      .replace(/^\/api\//, '/')
      .split('/')
      .flatMap((segment) => (segment.startsWith('{') ? ['by', segment.slice(1, -1)] : segment.split(/[^A-Za-z0-9]+/)))
      .map(capitalize)
      .join('')
  )
}

const security: Record<Route['auth'], oas31.SecurityRequirementObject[]> = {
  'key-or-bearer': [{ apiKey: [] }, { bearer: [] }],
  key: [{ apiKey: [] }],
  none: [],
  optional: [{}, { apiKey: [] }, { bearer: [] }],
  'key-bearer-or-basic': [{ apiKey: [] }, { bearer: [] }, { basic: [] }],
}

type ErrorResponses = ReturnType<typeof createErrorResponses>

/** Builds the document from the declarations and schemas of the routes. */
export function buildDocument(routes: readonly Route[], baseUrl: string): oas31.OpenAPIObject {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Backline API',
        version: '1.0.0',
        description:
          'Durable agent sessions, chats, streams and sandboxes for a music-industry workspace.\n\n' +
          'A path responds to methods that it does not support with 405, as in the component `MethodNotAllowed`.',
      },
      servers: [{ url: baseUrl }],
      tags: listTags(routes),
      paths: buildPaths(routes),
      components: {
        schemas: jsonComponents,
        headers: headerComponents,
        responses: { MethodNotAllowed: methodNotAllowed },
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A personal API key.' },
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: "The identity provider's token, or an API key.",
          },
          basic: { type: 'http', scheme: 'basic', description: 'Any user name, and an API key as the password.' },
        },
      },
    },
    { allowEmptySchema: { custom: true } },
  )
  return addResponseExamples(describeFields(makePortable(mapOperations(document, addRequestChecks))))
}

function readsBody({ method, streamedBody }: Route): boolean {
  return method !== 'GET' && streamedBody === undefined
}

/** Returns the tags of the routes without duplicates, sorted by name. */
function listTags(routes: readonly Route[]): Tag[] {
  return [...new Map(routes.map(({ tag }) => [tag.name, tag])).values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function buildPaths(routes: readonly Route[]): ZodOpenApiPathsObject {
  const errorResponses = createErrorResponses()
  const paths: ZodOpenApiPathsObject = {}
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: buildOperation(route, errorResponses) }
  return paths
}

function buildOperation(route: Route, errorResponses: ErrorResponses): ZodOpenApiOperationObject {
  return {
    operationId: buildOperationId(route),
    tags: [route.tag.name],
    summary: route.summary,
    description: [
      route.description,
      `Access: ${[route.ownership, describeRefusedKeys(route)].filter(Boolean).join(' ')}`,
    ]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    security: security[route.auth],
    requestParams: {
      ...(isObject(route.params) ? { path: route.params } : {}),
      ...(isObject(route.query) ? { query: route.query } : {}),
      ...(route.idempotent !== undefined ? { header: idempotencyParameter } : {}),
      ...(route.headers !== undefined ? { header: route.headers } : {}),
      ...(isResumable(route) ? { header: lastEventParameter } : {}),
    },
    ...(route.streamedBody === undefined
      ? {}
      : { requestBody: { required: true, content: { [route.streamedBody]: { schema: binary } } } }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: route.bodyOptional !== true,
            content: {
              'application/json': {
                schema: route.body,
                ...(route.example !== undefined && { example: route.example }),
              },
            },
          },
        }),
    responses: buildResponses(route, errorResponses),
  }
}

/** Returns a sentence about the keys that the route rejects although their account has access. */
function describeRefusedKeys({ widensAccess }: Route): string | undefined {
  if (widensAccess === undefined) return undefined
  const sentence = 'A key with an expiry, such as the key of a run, gets 403'
  return widensAccess === true ? `${sentence}.` : `${sentence} where the change gives lasting access.`
}

function isObject(schema: z.ZodType | undefined): schema is z.ZodObject {
  return schema !== undefined && 'shape' in schema
}

function isResumable(route: Route): boolean {
  return route.method === 'GET' && isEventStream(route, 200)
}

function isEventStream(route: Route, status: number): boolean {
  const declared = route.responses[status]
  return declared !== undefined && 'streamed' in declared && declared.streamed === 'text/event-stream'
}

function buildResponses(route: Route, errorResponses: ErrorResponses): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {}
  for (const [status, response] of errorResponses(route, listErrorCodes(route)))
    responses[`${status as 400}`] = response
  for (const status of Object.keys(route.responses))
    responses[status as `${2 | 4 | 5}${number}`] = successResponse(route, Number(status))
  return responses
}

function listHeaders(route: Route, status: number): Record<string, oas31.ReferenceObject> {
  const isCounted = route.auth !== 'none' || route.rate === 'signup' || route.rate === 'anonymous'
  const hasRateLimit = isCounted && route.rate !== 'none'
  const names: DocumentedHeader[] = [
    ...(hasRateLimit ? rateLimitHeaders : []),
    ...(route.idempotent !== undefined && status < 300 ? (['Idempotency-Replayed'] as const) : []),
    ...(isEventStream(route, status) ? (['x-workflow-run-id'] as const) : []),
    ...(isResumable(route) && status === 200 ? (['x-workflow-stream-tail-index'] as const) : []),
    ...(status === 201 || status === 202 ? (['Location'] as const) : []),
  ]
  return referToHeaders(names)
}

function successResponse(route: Route, status: number): ZodOpenApiResponseObject {
  const declared = route.responses[status]
  const headers = listHeaders(route, status)
  if (declared === undefined) throw new Error(`${route.method} ${route.path} declares no response ${status}`)
  if ('empty' in declared) return { description: declared.description, headers }
  if ('streamed' in declared) {
    const schema = isEventStream(route, status) ? streamEvent : text
    return { description: declared.description, headers, content: { [declared.streamed]: { schema } } }
  }
  return {
    description: status < 400 ? 'Success.' : 'The same body, with the errors.',
    headers,
    content: { 'application/json': { schema: declared } },
  }
}

/** Returns the OpenAPI document of the routes as JSON. */
export type DescribeRoutes = (routes: readonly Route[]) => string

/**
 * Creates a function that builds the document on the first call and caches it compressed, at a tenth of its size. Call it with
 * the same routes each time.
 */
export function createRouteDescriber(baseUrl: string): DescribeRoutes {
  let compressed: Buffer | undefined
  return (routes) => {
    compressed ??= gzipSync(JSON.stringify(buildDocument(routes, baseUrl)))
    return gunzipSync(compressed).toString()
  }
}
