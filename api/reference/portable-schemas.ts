import type { oas31 } from 'zod-openapi'
import { camelCase } from '../../domain/wire.ts'

type Schema = oas31.SchemaObject

const int32Max = 2 ** 31 - 1

/**
 * Converts the document's schemas for client generators. A nullable value becomes one schema with two types, and an integer
 * that may exceed 32 bits gets the format `int64`. Removes bounds that only repeat the range of a JavaScript number.
 */
export function makePortable<T>(node: T): T {
  if (Array.isArray(node)) return node.map((each: unknown) => makePortable(each)) as T
  if (typeof node !== 'object' || node === null) return node
  const converted = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, makePortable(value)]))
  return (isSchema(converted) ? portableSchema(converted) : converted) as T
}

// Other objects, such as examples, are left unchanged.
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

/** True for an alternative that only lists required fields, which generated types cannot express. */
function isOnlyRequired(schema: oas31.SchemaObject | oas31.ReferenceObject): boolean {
  return Object.keys(schema).join() === 'required'
}

/** Omits the snake_case spelling of a field with two spellings, because both have the same name in a generated class. */
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
