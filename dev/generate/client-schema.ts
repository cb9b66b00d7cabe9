import { writeFile } from 'node:fs/promises'
import type { oas31 } from 'zod-openapi'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { listRoutes } from '../../api/app.ts'
import type { ApiDeps } from '../../api/deps.ts'
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
  return heading + condenseTypes(astToString(await openapiTS(document())))
}

/** `npm run client`. */
export async function main(): Promise<void> {
  await writeFile('client/schema.ts', await clientSchema())
  print('Wrote client/schema.ts.')
}

/** The document with default settings, of routes that are declared and never called. */
function document(): OpenAPI3 {
  const config = loadConfig({})
  const written = buildDocument(listRoutes({ config } as ApiDeps, createMetrics()), config.baseUrl)
  // The types of the client leave out headers and examples of answers, which are half of the document.
  delete written.components?.headers
  const responses = listOperations(written).flatMap((operation) => Object.values(operation.responses ?? {}))
  for (const response of [...responses, ...Object.values(written.components?.responses ?? {})]) {
    const { content = {} } = response as oas31.ResponseObject
    delete (response as oas31.ResponseObject).headers
    for (const media of Object.values(content)) delete media.example
  }
  delete written.components?.schemas?.['Json']
  return JSON.parse(JSON.stringify(written), asTypes) as OpenAPI3
}

/** Types cannot express that a text is empty, nor that JSON has no U+0000. */
function asTypes(_: string, value: unknown): unknown {
  if (!isNode(value)) return value
  if (value['$ref'] === '#/components/schemas/Json') return {}
  const { anyOf, ...rest } = value
  if (!Array.isArray(anyOf) || !anyOf.some(isEmptyText)) return value
  const [first, ...others] = anyOf.filter((each) => !isEmptyText(each)) as Node[]
  return others.length === 0 ? { ...rest, ...first } : { ...rest, anyOf: [first, ...others] }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmptyText(schema: unknown): boolean {
  return isNode(schema) && schema['maxLength'] === 0
}
