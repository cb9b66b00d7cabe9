import type { z } from 'zod'
import type { oas31 } from 'zod-openapi'
import { siteErrors, type SiteErrorCode } from '../errors.ts'
import { tools } from '../tools/index.ts'
import { objectSchema } from './tool-list.ts'
import { toolExamples } from './tool-examples.ts'

type Json = Record<string, unknown>

const readCodes: readonly SiteErrorCode[] = ['NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE']
const codesByRoute: Record<'search' | 'read' | 'tools', readonly SiteErrorCode[]> = {
  search: ['INVALID_QUERY', 'INVALID_TYPE', 'INVALID_LIMIT', 'INVALID_CURSOR', ...readCodes],
  read: ['INVALID_QUERY', 'INVALID_ID', 'INVALID_OFFSET', 'INVALID_MAX_LENGTH', ...readCodes],
  tools: Object.keys(siteErrors).filter((code) => code !== 'METHOD_NOT_ALLOWED') as SiteErrorCode[],
}
export const resultNames: Record<keyof typeof tools, string> = {
  search_service: 'SearchResult',
  read_service_page: 'ReadResult',
  estimate_workflow_roi: 'RoiEstimate',
  assess_workflow_readiness: 'Readiness',
  prepare_project_brief: 'Brief',
}
const text: oas31.SchemaObject = { type: 'string' }
const integer: oas31.SchemaObject = { type: 'integer' }
export const headers = {
  'X-Request-Id': { description: 'The id of the request, or a generated one.', schema: text },
  'X-Content-Version': {
    description: 'Changes with the content or its ranking. After a change, read again from the beginning.',
    schema: text,
  },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: integer },
  'RateLimit-Limit': { description: 'Maximum burst of requests from one address.', schema: integer },
  'RateLimit-Remaining': { description: 'Remaining requests.', schema: integer },
  'RateLimit-Reset': { description: 'Seconds until another request is allowed.', schema: integer },
}
export const versionHeaders = headersNamed('X-Request-Id', 'X-Content-Version')
export const requestIdParameter: oas31.ParameterObject = {
  name: 'X-Request-Id',
  in: 'header',
  description: 'Echoed if it matches the pattern.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
}
export const requestId = { $ref: '#/components/parameters/RequestId' }
export const schemas: Record<string, oas31.SchemaObject> = {
  ...Object.fromEntries(
    Object.entries(tools).map(([name, { output }]) => [
      resultNames[name as keyof typeof tools],
      objectSchema(output, 'output'),
    ]),
  ),
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', enum: Object.keys(siteErrors) },
          message: text,
          issues: {
            type: 'array',
            items: { type: 'object', required: ['field', 'message'], properties: { field: text, message: text } },
          },
        },
      },
    },
  },
}

function headersNamed(...names: (keyof typeof headers)[]): Record<string, oas31.ReferenceObject> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export function reference(name: string): oas31.ReferenceObject {
  return { $ref: `#/components/schemas/${name}` }
}

export function buildParameters(input: z.ZodObject, example: Json): oas31.ParameterObject[] {
  const { properties = {}, required = [] } = objectSchema(input, 'input')
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query' as const,
    required: required.includes(name),
    schema: schema as oas31.SchemaObject,
    ...(name in example && { example: example[name] }),
  }))
}

export function toolBody(): oas31.MediaTypeObject {
  return {
    schema: {
      oneOf: Object.entries(tools).map(([name, { title, input }]) => ({
        type: 'object',
        title,
        additionalProperties: false,
        required: ['name', 'arguments'],
        properties: { name: { const: name }, arguments: objectSchema(input, 'input') as oas31.SchemaObject },
      })),
    },
    examples: Object.fromEntries(
      Object.entries(toolExamples).map(([name, input]) => [name, { value: { name, arguments: input } }]),
    ),
  }
}

export function success(name: string, examples: Json): oas31.ResponseObject {
  return {
    description: 'OK',
    headers: versionHeaders,
    content: {
      'application/json': {
        schema: reference(name),
        examples: Object.fromEntries(Object.entries(examples).map(([key, value]) => [key, { value }])),
      },
    },
  }
}

export function failures(route: keyof typeof codesByRoute): oas31.ResponsesObject {
  const statuses = [...new Set(codesByRoute[route].map((code) => siteErrors[code][0]))]
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = codesByRoute[route].filter((code) => siteErrors[code][0] === status)
      return [
        String(status),
        {
          description: codes.map((code) => `\`${code}\`: ${siteErrors[code][1]}`).join(' '),
          headers: {
            ...headersNamed('X-Request-Id'),
            ...(status === 429 &&
              headersNamed('Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset')),
            ...(status === 503 && headersNamed('Retry-After')),
          },
          content: {
            'application/json': {
              schema: reference('Error'),
              examples: Object.fromEntries(
                codes.map((code) => [code, { value: { error: { code, message: siteErrors[code][1] } } }]),
              ),
            },
          },
        },
      ]
    }),
  )
}
