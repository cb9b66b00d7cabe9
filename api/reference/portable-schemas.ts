import type { oas31 } from 'zod-openapi'

type Schema = oas31.SchemaObject

const int32Max = 2 ** 31 - 1

/**
 * The document with schemas that generators of clients understand: a nullable value is one schema with two types, and an
 * integer names its width. Bounds that only repeat the range of a JavaScript number are left out.
 */
export function makePortable<T>(node: T): T {
  if (Array.isArray(node)) return node.map((each: unknown) => makePortable(each)) as T
  if (typeof node !== 'object' || node === null) return node
  const made = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, makePortable(value)]))
  return (isSchema(made) ? portableSchema(made) : made) as T
}

// An example is data: an object in it that looks like a schema stays as it is.
function isSchema(node: Record<string, unknown>): boolean {
  return typeof node['type'] === 'string' || Array.isArray(node['anyOf'])
}

function portableSchema(schema: Schema): Schema {
  const { anyOf, oneOf, ...rest } = schema
  if ((anyOf ?? oneOf)?.every(isOnlyRequired)) return rest
  const [value, ...others] = (anyOf ?? []).filter((each) => !isNull(each)) as Schema[]
  const isNullable = value !== undefined && others.length === 0 && anyOf?.length === 2
  if (isNullable && typeof value.type === 'string') {
    const values = value.enum ?? (value.const === undefined ? undefined : [value.const as unknown])
    const { const: _, ...nullable } = value
    return { ...nullable, ...rest, type: [value.type, 'null'], ...(values && { enum: [...values, null] }) }
  }
  return withoutAliases(withoutNumberRange(schema))
}

/** Alternatives that differ in their required members only: generated types cannot express them. */
function isOnlyRequired(schema: oas31.SchemaObject | oas31.ReferenceObject): boolean {
  return Object.keys(schema).join() === 'required'
}

/** A member with two spellings is documented in camelCase: both have the same name in a generated class. */
function withoutAliases(schema: Schema): Schema {
  const { properties, required } = schema
  if (properties === undefined) return schema
  const isAlias = (name: string): boolean => camelCase(name) !== name && camelCase(name) in properties
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !isAlias(name))),
    ...(required && { required: required.filter((name) => !isAlias(name)) }),
  }
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function isNull(schema: oas31.SchemaObject | oas31.ReferenceObject): boolean {
  return 'type' in schema && schema.type === 'null'
}

function withoutNumberRange(schema: Schema): Schema {
  const { minimum, maximum, maxLength, ...rest } = schema
  const fitsInt32 = minimum !== undefined && maximum !== undefined && minimum >= -int32Max && maximum <= int32Max
  return {
    ...rest,
    ...(schema.type === 'integer' && !fitsInt32 && { format: 'int64' }),
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
    ...(maxLength !== undefined && maxLength < Number.MAX_SAFE_INTEGER && { maxLength }),
  }
}
