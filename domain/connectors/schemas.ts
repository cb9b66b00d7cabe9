import { isObject, type JsonObject } from './connector.ts'

/** Limits of a schema: characters of its JSON text, and levels. */
const maxCharacters = 262_144
const maxDepth = 64

const references = ['$ref', '$dynamicRef', '$recursiveRef']

/** Reason why a third-party schema cannot be used for validation; undefined if it can. */
export function schemaFault(schema: JsonObject): string | undefined {
  if (JSON.stringify(schema).length > maxCharacters) return `has more than ${maxCharacters} characters`
  return faultBelow(schema, 0)
}

/**
 * Whether the fields of a value are subschemas under names of their own: a property may be named `$ref`, and an example
 * may hold one.
 */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const values = new Set(['const', 'enum', 'default', 'examples', 'example'])

function faultBelow(value: unknown, depth: number): string | undefined {
  if (depth > maxDepth) return `is nested more than ${maxDepth} levels deep`
  if (Array.isArray(value)) return firstFault(value, depth)
  if (!isObject(value)) return undefined
  for (const name of references) {
    const target = value[name]
    if (typeof target === 'string' && !target.startsWith('#')) return 'refers to another document'
  }
  for (const [name, member] of Object.entries(value)) {
    if (values.has(name)) continue
    const fault =
      named.has(name) && isObject(member) ? firstFault(Object.values(member), depth + 1) : faultBelow(member, depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}

function firstFault(schemas: readonly unknown[], depth: number): string | undefined {
  for (const schema of schemas) {
    const fault = faultBelow(schema, depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}
