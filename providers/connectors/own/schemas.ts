import { isObject, type JsonObject } from '../../../domain/connectors/connector.ts'

/** Converter of the schemas of an OpenAPI document to self-contained JSON schemas. */
export type Schemas = {
  /** Resolves a reference within the document. */
  resolve(value: JsonObject): JsonObject
  /** Returns a copy whose references point to `$defs`. */
  localize(schema: JsonObject): JsonObject
  /** Like `localize`, with a reference at the top level resolved. */
  localizeInline(schema: JsonObject): JsonObject
  /** Returns the schema with the `$defs` that it references. */
  withDefinitions(schema: JsonObject): JsonObject
}

const prefix = '#/components/schemas/'

export function createSchemas(document: JsonObject): Schemas {
  const resolvePointer = (pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(
        (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
        document,
      )

  const resolve = (value: JsonObject, depth = 0): JsonObject => {
    const reference = value['$ref']
    if (typeof reference !== 'string') return value
    const target = reference.startsWith('#/') && depth < 10 ? resolvePointer(reference) : undefined
    if (!isObject(target)) throw new Error(`openapi does not contain ${reference}`)
    return resolve(target, depth + 1)
  }

  const localizeValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(localizeValue)
    if (!isObject(value)) return value
    return localize(value)
  }

  const localize = (schema: JsonObject): JsonObject => {
    const reference = schema['$ref']
    if (typeof reference === 'string') {
      if (!reference.startsWith(prefix)) return localize(resolve(schema))
      resolve(schema)
      return { $ref: `#/$defs/${reference.slice(prefix.length)}` }
    }
    const copy = Object.fromEntries(
      Object.entries(schema).map(([name, member]) => [name, valueKeywords.has(name) ? member : localizeValue(member)]),
    )
    return upgradeKeywords(copy)
  }

  const collectDefinitions = (schema: unknown, definitions: Map<string, JsonObject>): void => {
    for (const name of collectNames(schema)) {
      if (definitions.has(name)) continue
      const definition = localize(resolve({ $ref: `${prefix}${name}` }))
      definitions.set(name, definition)
      collectDefinitions(definition, definitions)
    }
  }

  return {
    resolve: (value) => resolve(value),
    localize,
    localizeInline: (schema) => localize(resolve(schema)),
    withDefinitions: (schema) => {
      const definitions = new Map<string, JsonObject>()
      collectDefinitions(schema, definitions)
      return definitions.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(definitions) }
    },
  }
}

/** Keywords that contain values instead of schemas. */
const valueKeywords = new Set([
  'example',
  'examples',
  'default',
  'enum',
  'const',
  'discriminator',
  'xml',
  'externalDocs',
])

function collectNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(collectNames)
  if (!isObject(value)) return []
  const reference = value['$ref']
  const names = typeof reference === 'string' ? [reference.replace('#/$defs/', '')] : []
  return [...names, ...Object.values(value).flatMap(collectNames)]
}

/** Converts keywords of OpenAPI 3.0 that differ from current JSON Schema. */
function upgradeKeywords(schema: JsonObject): JsonObject {
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = schema
  const { type, minimum, maximum } = rest
  return {
    ...rest,
    ...(nullable === true && typeof type === 'string' && { type: [type, 'null'] }),
    ...(exclusiveMinimum === true ? { exclusiveMinimum: minimum } : isNumber(exclusiveMinimum) && { exclusiveMinimum }),
    ...(exclusiveMaximum === true ? { exclusiveMaximum: maximum } : isNumber(exclusiveMaximum) && { exclusiveMaximum }),
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
