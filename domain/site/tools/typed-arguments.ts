type Schema = { type?: unknown; properties?: unknown }

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Converts string arguments to the types of the tool's schema if the text is unambiguous, because some clients send numbers,
 * booleans and JSON as strings. Other values do not change, and the tool rejects them.
 */
export function typedArguments(schema: Schema, input: Record<string, unknown>): Record<string, unknown> {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, isRecord(property) ? convertValue(property, value) : value]
    }),
  )
}

function convertValue(schema: Schema, value: unknown): unknown {
  const converted = typeof value === 'string' ? readText(schema.type, value) : value
  return schema.type === 'object' && isRecord(converted) ? typedArguments(schema, converted) : converted
}

function readText(type: unknown, text: string): unknown {
  const trimmed = text.trim()
  if (type === 'number' || type === 'integer') return number.test(trimmed) ? Number(trimmed) : text
  if (type === 'boolean') return trimmed === 'true' || (trimmed === 'false' ? false : text)
  if (type !== 'object' && type !== 'array') return text
  try {
    const parsed: unknown = JSON.parse(trimmed)
    return (type === 'array' ? Array.isArray(parsed) : isRecord(parsed)) ? parsed : text
  } catch {
    return text
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
