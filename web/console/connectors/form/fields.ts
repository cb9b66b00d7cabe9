import { isRecord, toRecord, type Json } from '../../access/json.ts'

type FieldBase = { name: string; label: string; hint: string; isRequired: boolean; initial: unknown }
export type TextFormat = 'text' | 'lines' | 'date' | 'date-time' | 'email' | 'url'

/** A form field that is derived from a property of a JSON Schema. */
export type Field = FieldBase &
  (
    | { kind: 'text'; format: TextFormat; minLength?: number; maxLength?: number }
    | { kind: 'number'; isWhole: boolean; min?: number; max?: number }
    | { kind: 'switch' }
    | { kind: 'choice'; options: readonly unknown[] }
    | { kind: 'choices'; options: readonly unknown[] }
    | { kind: 'items'; isNumeric: boolean }
    | { kind: 'file' }
    | { kind: 'group'; fields: readonly Field[] }
    | { kind: 'groups'; fields: readonly Field[] }
    | { kind: 'json'; type: string }
  )

/** Returns the path of the member `name` of the value at the path `parent`. The root has the empty path. */
export function joinPath(parent: string, name: string | number): string {
  return parent === '' ? String(name) : `${parent}.${name}`
}

/** Objects below this depth are edited as JSON. The limit also ends the recursion of self-referencing schemas. */
const maxDepth = 3
/** A text field whose `maxLength` is greater has several lines. */
const maxSingleLineLength = 300

/**
 * Returns the fields of an object schema. A property that no other field can express becomes a JSON field. Returns
 * undefined if the object must be edited as JSON, because its schema combines schemas or allows only unnamed properties.
 */
export function toFields(schema: Json): Field[] | undefined {
  const root = resolve(schema, schema)
  if (combiners.some((keyword) => keyword in root)) return undefined
  const fields = listFields(root, { root: schema, isRequired: true, depth: 0 })
  const allowsOtherProperties = root['additionalProperties'] !== false && root['additionalProperties'] !== undefined
  return fields.length === 0 && allowsOtherProperties ? undefined : fields
}

/** Keywords that make the validity of one property depend on other properties. */
const combiners = ['allOf', 'anyOf', 'oneOf', 'if', 'not', 'dependentSchemas', 'dependencies', 'patternProperties']

/** Position in the schema. `isRequired`: the parameters must contain the object at this position. */
type SchemaContext = { root: Json; isRequired: boolean; depth: number }

function listFields(schema: Json, context: SchemaContext): Field[] {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const fields = Object.entries(toRecord(schema['properties'])).map(([name, property]) =>
    toField(name, property, { ...context, isRequired: context.isRequired && required.has(name) }),
  )
  return fields.toSorted((a, b) => toSortKey(a) - toSortKey(b))
}

function toField(name: string, property: unknown, context: SchemaContext): Field {
  const { root, isRequired } = context
  const schema = withoutNull(resolve(toRecord(property), root), root)
  const { title, description, default: initial, const: constant } = schema
  const base: FieldBase = {
    name,
    label: typeof title === 'string' && title !== '' ? title : toLabel(name),
    hint: typeof description === 'string' ? description : '',
    isRequired,
    initial: initial ?? constant,
  }
  if (schema['file_uploadable'] === true) return { ...base, kind: 'file' }
  const options = listOptions(schema)
  if (options !== undefined) return { ...base, kind: 'choice', options }
  if (combiners.some((keyword) => keyword in schema)) return { ...base, kind: 'json', type: 'value' }
  switch (schema['type']) {
    case 'string':
      return {
        ...base,
        kind: 'text',
        format: toFormat(name, schema),
        minLength: toNumber(schema['minLength']),
        maxLength: toNumber(schema['maxLength']),
      }
    case 'integer':
    case 'number':
      return {
        ...base,
        kind: 'number',
        isWhole: schema['type'] === 'integer',
        min: toNumber(schema['minimum']),
        max: toNumber(schema['maximum']),
      }
    case 'boolean':
      return isRequired || typeof initial === 'boolean'
        ? { ...base, kind: 'switch', initial: initial === true }
        : { ...base, kind: 'choice', options: [true, false] }
    case 'array':
      return toListField(base, resolve(toRecord(schema['items']), root), context)
    case 'object': {
      const fields = listNestedFields(schema, context)
      return fields.length === 0 ? { ...base, kind: 'json', type: 'object' } : { ...base, kind: 'group', fields }
    }
    default:
      return { ...base, kind: 'json', type: 'value' }
  }
}

function toListField(base: FieldBase, items: Json, context: SchemaContext): Field {
  const options = listOptions(items)
  if (options !== undefined) return { ...base, kind: 'choices', options }
  const { type } = items
  if (type === 'string') return { ...base, kind: 'items', isNumeric: false }
  if (type === 'number' || type === 'integer') return { ...base, kind: 'items', isNumeric: true }
  const fields = type === 'object' ? listNestedFields(items, { ...context, isRequired: true }) : []
  return fields.length === 0 ? { ...base, kind: 'json', type: 'list' } : { ...base, kind: 'groups', fields }
}

/** Returns a sort key: required and short fields first. The schema's own order is lost in the database. */
function toSortKey(field: Field): number {
  const isLong =
    field.kind === 'json' || field.kind.startsWith('group') || (field.kind === 'text' && field.format === 'lines')
  return (field.isRequired ? 0 : 2) + (isLong ? 1 : 0)
}

function listNestedFields(schema: Json, context: SchemaContext): Field[] {
  return context.depth < maxDepth ? listFields(schema, { ...context, depth: context.depth + 1 }) : []
}

/** Returns the values of an enumeration; undefined if the schema is not an enumeration. */
function listOptions({ enum: values, const: constant, oneOf, anyOf }: Json): readonly unknown[] | undefined {
  if (Array.isArray(values)) return values.filter((value) => value !== null)
  if (constant !== undefined) return [constant]
  const constants = [oneOf, anyOf].find(Array.isArray)?.map((alternative: unknown) => toRecord(alternative)['const'])
  return constants === undefined || constants.includes(undefined) ? undefined : constants
}

/** Resolves the references of a schema. */
function resolve(schema: Json, root: Json, depth = 0): Json {
  const { $ref: reference, ...rest } = schema
  if (typeof reference !== 'string' || depth > maxDepth) return schema
  const target = reference
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), root)
  return isRecord(target) ? resolve({ ...target, ...rest }, root, depth + 1) : {}
}

/** Removes the alternative `null` from a schema, because an empty field expresses it. */
function withoutNull(schema: Json, root: Json): Json {
  const { type, anyOf, oneOf, ...rest } = schema
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null')
    return { ...schema, type: types.length === 1 ? types[0] : types }
  }
  const alternatives: unknown = anyOf ?? oneOf
  if (!Array.isArray(alternatives)) return schema
  const nonNull = alternatives.filter((alternative) => !(isRecord(alternative) && alternative['type'] === 'null'))
  const [single] = nonNull
  if (nonNull.length === 1 && isRecord(single)) return { ...resolve(single, root), ...rest }
  return schema
}

function toFormat(name: string, { format, maxLength }: Json): TextFormat {
  if (format === 'date' || format === 'date-time' || format === 'email') return format
  if (format === 'uri' || format === 'url') return 'url'
  if (format !== undefined) return 'text'
  const isLong = typeof maxLength === 'number' ? maxLength > maxSingleLineLength : longTextNames.test(name)
  return isLong ? 'lines' : 'text'
}

const longTextNames = /text|body|content|message|description|comment|note/i

function toLabel(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
  if (words === '') return name
  return (words.charAt(0).toUpperCase() + words.slice(1)).replaceAll(/\b(id|url)\b/gi, (word) => word.toUpperCase())
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
