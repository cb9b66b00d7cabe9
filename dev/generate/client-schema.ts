import { writeFile } from 'node:fs/promises'
import type { oas31 } from 'zod-openapi'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { listRoutes, type ApiDeps } from '../../api/app.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { buildDocument } from '../../api/reference/openapi.ts'
import { listOperations } from '../../api/reference/operations.ts'
import { loadConfig } from '../../config.ts'
import { print } from '../say.ts'
import { condenseTypes } from './condense-types.ts'

const heading =
  '// The types of the API, from the document at /openapi.json. Written by `npm run client`; never edited.\n'

type Node = Record<string, unknown>

export async function clientSchema(): Promise<string> {
  return heading + condenseTypes(astToString(await openapiTS(openApiDocument())))
}

/** `npm run client`: writes client/schema.ts. */
export async function main(): Promise<void> {
  await writeFile('client/schema.ts', await clientSchema())
  print('Wrote client/schema.ts.')
}

/** Builds the document with default settings. The routes are declared but never called. */
function openApiDocument(): OpenAPI3 {
  const config = loadConfig({})
  const document = buildDocument(listRoutes({ config } as ApiDeps, createMetrics()), config.baseUrl)
  // The client types omit response headers and examples, which are half of the document.
  delete document.components?.headers
  const responses = listOperations(document).flatMap((operation) => Object.values(operation.responses ?? {}))
  for (const response of [...responses, ...Object.values(document.components?.responses ?? {})]) {
    const { content = {} } = response as oas31.ResponseObject
    delete (response as oas31.ResponseObject).headers
    for (const media of Object.values(content)) delete media.example
  }
  delete document.components?.schemas?.['Json']
  return JSON.parse(JSON.stringify(document), removeTypelessParts) as OpenAPI3
}

/** Removes constraints that types cannot express: that a string is empty, or that JSON contains no U+0000. */
function removeTypelessParts(_: string, value: unknown): unknown {
  if (!isNode(value)) return value
  if (value['$ref'] === '#/components/schemas/Json') return {}
  const { anyOf, ...rest } = value
  if (!Array.isArray(anyOf) || !anyOf.some(isEmptyString)) return value
  const [first, ...others] = anyOf.filter((schema) => !isEmptyString(schema)) as Node[]
  return others.length === 0 ? { ...rest, ...first } : { ...rest, anyOf: [first, ...others] }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmptyString(schema: unknown): boolean {
  return isNode(schema) && schema['maxLength'] === 0
}
