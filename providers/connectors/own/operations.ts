import { z } from 'zod'
import { actionSlug, type ConnectorAction, type JsonObject } from '../../../domain/connectors/connector.ts'
import { fileParameter } from '../../../domain/connectors/action-files.ts'
import { createSchemas, type Schemas } from './schemas.ts'

type ParameterLocation = 'path' | 'query' | 'header'
type BodyKind = 'json' | 'form' | 'multipart' | 'file'

/** Operation of an OpenAPI document, with the connector action that it implements. */
export type Operation = {
  /** The `operationId`. */
  id: string
  action: ConnectorAction
  method: string
  path: string
  parameters: { name: string; in: ParameterLocation }[]
  /** Request body: the parameter `body`, or `file` for a single file. */
  body?: { kind: BodyKind; mediaType: string }
}

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const
/** Headers that only the broker sets. */
const reservedHeaders = new Set([
  'authorization',
  'cookie',
  'host',
  'content-type',
  'content-length',
  'accept',
  'connection',
])

const documentSchema = z.looseObject({
  openapi: z.string().regex(/^3\./, 'must be 3.0 or later'),
  servers: z.array(z.looseObject({ url: z.url({ protocol: /^https?$/ }) })).min(1),
  paths: z.record(z.string().startsWith('/'), z.record(z.string(), z.unknown())),
})
const operationSchema = z.looseObject({
  operationId: z.string().min(1),
  summary: z.string().optional(),
  description: z.string().optional(),
  parameters: z.array(z.record(z.string(), z.unknown())).default([]),
  requestBody: z.record(z.string(), z.unknown()).optional(),
})
const parameterSchema = z.looseObject({
  name: z.string().min(1),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: z.record(z.string(), z.unknown()).default({}),
})
const bodySchema = z.looseObject({
  required: z.boolean().default(false),
  content: z.record(z.string(), z.looseObject({ schema: z.record(z.string(), z.unknown()).default({}) })),
})

/** Parses the operations with an `operationId`. All calls go to the first server of the document. */
export function parseOperations(slug: string, openapi: JsonObject): { operations: Operation[]; server: string } {
  const document = documentSchema.safeParse(openapi)
  if (!document.success) {
    const [issue] = document.error.issues
    throw new Error(`openapi.${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}`)
  }
  const schemas = createSchemas(openapi)
  const operations = Object.entries(document.data.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = operationSchema.safeParse(item[method])
      if (!operation.success) return []
      const pathParameters = z.array(z.record(z.string(), z.unknown())).safeParse(item['parameters']).data ?? []
      return [parseOperation({ slug, method, path, pathParameters, operation: operation.data }, schemas)]
    }),
  )
  const slugs = operations.map(({ action }) => action.actionSlug)
  const duplicate = slugs.find((slug, index) => slugs.indexOf(slug) !== index)
  if (duplicate !== undefined) throw new Error(`openapi has two operations with the action slug ${duplicate}`)
  if (operations.length === 0) throw new Error('openapi has no operation with an operationId')
  return { operations, server: (document.data.servers[0]?.url ?? '').replace(/\/$/, '') }
}

type OperationSource = {
  slug: string
  method: string
  path: string
  pathParameters: JsonObject[]
  operation: z.output<typeof operationSchema>
}

function parseOperation(
  { slug, method, path, pathParameters, operation }: OperationSource,
  schemas: Schemas,
): Operation {
  const parameters = [...pathParameters, ...operation.parameters]
    .map((parameter) => parameterSchema.parse(schemas.resolve(parameter)))
    .flatMap(({ in: location, ...rest }) => (location === 'cookie' ? [] : [{ ...rest, in: location }]))
    .filter(({ in: location, name }) => location !== 'header' || !reservedHeaders.has(name.toLowerCase()))
  const body = operation.requestBody && parseBody(schemas.resolve(operation.requestBody), schemas)
  const parameterProperties = parameters.map(({ name, schema, description }) => [
    name,
    { ...schemas.localize(schema), ...(description !== undefined && { description }) },
  ])
  const required = parameters.flatMap(({ name, required }) => (required ? name : []))
  const { summary, description } = operation
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    parameters: parameters.map(({ name, in: location }) => ({ name, in: location })),
    ...(body && { body: { kind: body.kind, mediaType: body.mediaType } }),
    action: {
      actionSlug: buildSlug(slug, operation.operationId),
      toolkit: slug,
      name: summary ?? operation.operationId,
      description: description ?? summary ?? '',
      parameters: schemas.withDefinitions({
        type: 'object',
        properties: Object.fromEntries([
          ...parameterProperties,
          ...(body === undefined ? [] : [[body.name, body.schema]]),
        ]),
        required: [...required, ...(body?.required === true ? [body.name] : [])],
        additionalProperties: false,
      }),
      fileFields: body?.fileFields ?? [],
    },
  }
}

type Body = {
  name: 'body' | 'file'
  kind: BodyKind
  mediaType: string
  schema: JsonObject
  required: boolean
  fileFields: string[]
}

function parseBody(requestBody: JsonObject, schemas: Schemas): Body {
  const { content, required } = bodySchema.parse(requestBody)
  const [mediaType = '', media] =
    Object.entries(content).find(([type]) => classifyMediaType(type) === 'json') ?? Object.entries(content)[0] ?? []
  const kind = classifyMediaType(mediaType)
  if (kind === 'file')
    return { name: 'file', kind, mediaType, required, schema: fileParameter('The file.'), fileFields: ['file'] }
  const schema = schemas.localize(media?.schema ?? {})
  if (kind !== 'multipart') return { name: 'body', kind, mediaType, required, schema, fileFields: [] }
  const { properties, fileFields } = convertFiles(schemas.localizeInline(media?.schema ?? {}))
  return { name: 'body', kind, mediaType, required, schema: { ...schema, properties }, fileFields }
}

/** Converts a form schema: binary fields become action files. */
function convertFiles(schema: JsonObject): { properties: JsonObject; fileFields: string[] } {
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>)
  return {
    properties: Object.fromEntries(
      members.map(([name, member]) => [name, isFile(member) ? fileParameter(`The file for ${name}.`) : member]),
    ),
    fileFields: members.flatMap(([name, member]) => (isFile(member) ? `body.${name}` : [])),
  }
}

function isFile({ format, contentMediaType }: JsonObject): boolean {
  return format === 'binary' || typeof contentMediaType === 'string'
}

function classifyMediaType(mediaType: string): BodyKind {
  const [type = ''] = mediaType.split(';')
  if (/^application\/([\w.+-]+\+)?json$/.test(type)) return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  return type === 'multipart/form-data' ? 'multipart' : 'file'
}

/** Builds the action slug in upper case, for example from `createIssue` or `issues/create-for-repo`. */
function buildSlug(toolkit: string, operationId: string): string {
  const suffix = operationId.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/[^A-Za-z0-9]+/g, '_')
  const slug = `${toolkit}_${suffix}`.toUpperCase().replaceAll('-', '_')
  if (!actionSlug.test(slug)) throw new Error(`openapi: operationId ${operationId} is too long`)
  return slug
}
