import { isObject, type JsonObject } from './connector.ts'

/** Limits of a schema: characters of its JSON text, and nesting levels. */
const maxCharacters = 262_144
const maxDepth = 64

const references = ['$ref', '$dynamicRef', '$recursiveRef']

/** Returns why a third-party schema cannot be used for validation; undefined if it can. */
export function explainUnusableSchema(schema: JsonObject): string | undefined {
  if (JSON.stringify(schema).length > maxCharacters) return `has more than ${maxCharacters} characters`
  return findProblem(schema, 0)
}

/**
 * Keywords whose members are named subschemas, where `$ref` may be the name of a property. The values of `dataKeywords` are
 * data, which may also contain `$ref`.
 */
const namedSubschemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const dataKeywords = new Set(['const', 'enum', 'default', 'examples', 'example'])

function findProblem(value: unknown, depth: number): string | undefined {
  if (depth > maxDepth) return `is nested more than ${maxDepth} levels deep`
  if (Array.isArray(value)) return findFirstProblem(value, depth)
  if (!isObject(value)) return undefined
  for (const name of references) {
    const target = value[name]
    if (typeof target === 'string' && !target.startsWith('#')) return 'refers to another document'
  }
  for (const [name, member] of Object.entries(value)) {
    if (dataKeywords.has(name)) continue
    const problem =
      namedSubschemas.has(name) && isObject(member)
        ? findFirstProblem(Object.values(member), depth + 1)
        : findProblem(member, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

function findFirstProblem(schemas: readonly unknown[], depth: number): string | undefined {
  for (const schema of schemas) {
    const problem = findProblem(schema, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}
