import { isObject, type JsonObject } from '../../../domain/connectors/connector.ts'

/** Converts the schemas of an OpenAPI document to self-contained JSON schemas. */
export type Schemas = {
  /** Resolves a reference within the document. */
  resolve(value: JsonObject): JsonObject
  /** Returns a copy whose references point to `$defs`. */
  local(schema: JsonObject): JsonObject
  /** Like `local`, with a reference at the top level resolved. */
  inline(schema: JsonObject): JsonObject
  /** Returns the schema with the `$defs` that it references. */
  withDefinitions(schema: JsonObject): JsonObject
}

const prefix = '#/components/schemas/'

export function createSchemas(document: JsonObject): Schemas {
  const at = (pointer: string): unknown =>
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
    const target = reference.startsWith('#/') && depth < 10 ? at(reference) : undefined
    if (!isObject(target)) throw new Error(`openapi refers to ${reference}, which is not in it`)
    return resolve(target, depth + 1)
  }

  const localValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(localValue)
    if (!isObject(value)) return value
    return local(value)
  }

  const local = (schema: JsonObject): JsonObject => {
    const reference = schema['$ref']
    if (typeof reference === 'string') {
      if (!reference.startsWith(prefix)) return local(resolve(schema))
      resolve(schema)
      return { $ref: `#/$defs/${reference.slice(prefix.length)}` }
    }
    const copy = Object.fromEntries(
      Object.entries(schema).map(([name, member]) => [name, kept.has(name) ? member : localValue(member)]),
    )
    return asLater(copy)
  }

  const collectDefinitions = (schema: unknown, found: Map<string, JsonObject>): void => {
    for (const name of namesIn(schema)) {
      if (found.has(name)) continue
      const definition = local(resolve({ $ref: `${prefix}${name}` }))
      found.set(name, definition)
      collectDefinitions(definition, found)
    }
  }

  return {
    resolve: (value) => resolve(value),
    local,
    inline: (schema) => local(resolve(schema)),
    withDefinitions: (schema) => {
      const found = new Map<string, JsonObject>()
      collectDefinitions(schema, found)
      return found.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(found) }
    },
  }
}

/** Keywords that contain values instead of schemas. */
const kept = new Set(['example', 'examples', 'default', 'enum', 'const', 'discriminator', 'xml', 'externalDocs'])

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (!isObject(value)) return []
  const reference = value['$ref']
  const own = typeof reference === 'string' ? [reference.replace('#/$defs/', '')] : []
  return [...own, ...Object.values(value).flatMap(namesIn)]
}

/** Converts keywords of OpenAPI 3.0 that differ from current JSON Schema. */
function asLater(schema: JsonObject): JsonObject {
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
