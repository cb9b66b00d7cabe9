import { isRecord, toRecord, type Json } from '../access/json.ts'

/** A parameter of an action, from the action's JSON Schema. */
export type Parameter = {
  name: string
  type: string
  isRequired: boolean
  description: string
  acceptsFile: boolean
}

export function listParameters(schema: Json): Parameter[] {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.entries(toRecord(schema['properties'])).map(([name, value]) => {
    const property = toRecord(value)
    return {
      name,
      type: describeType(property),
      isRequired: required.has(name),
      description: typeof property['description'] === 'string' ? property['description'] : '',
      acceptsFile: property['file_uploadable'] === true,
    }
  })
}

/** Builds example JSON with the required parameters, each with its default or an empty value. */
export function buildExample(schema: Json): string {
  const properties = toRecord(schema['properties'])
  const entries = listParameters(schema)
    .filter(({ isRequired }) => isRequired)
    .map(({ name }) => [name, createExampleValue(toRecord(properties[name]))])
  return JSON.stringify(Object.fromEntries(entries), null, 2)
}

/** Parses parameters from JSON. Throws an error with a user-facing message if the text is not a JSON object. */
export function parseParameters(text: string): Json {
  let parsed: unknown
  try {
    parsed = JSON.parse(text.trim() === '' ? '{}' : text)
  } catch (error) {
    throw new Error(`The parameters are not valid JSON: ${error instanceof Error ? error.message : 'syntax error'}`, {
      cause: error,
    })
  }
  if (!isRecord(parsed)) throw new Error('The parameters must be a JSON object: { … }')
  return parsed
}

function createExampleValue(property: Json): unknown {
  if ('default' in property) return property['default']
  if (Array.isArray(property['enum'])) return property['enum'][0]
  switch (property['type']) {
    case 'string':
      return ''
    case 'integer':
    case 'number':
      return typeof property['minimum'] === 'number' ? property['minimum'] : 0
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return property['file_uploadable'] === true ? null : {}
    default:
      return null
  }
}

function describeType(property: Json): string {
  if (property['file_uploadable'] === true) return 'image'
  if (Array.isArray(property['enum'])) return property['enum'].map((value) => JSON.stringify(value)).join(', ')
  const { type, format } = property
  const typeName = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any'
  return typeof format === 'string' ? `${typeName} (${format})` : typeName
}
