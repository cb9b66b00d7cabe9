import { isRecord, toRecord, type Json } from '../json.ts'

type Base = { name: string; label: string; hint: string; isRequired: boolean; initial: unknown }
export type TextFormat = 'text' | 'lines' | 'date' | 'date-time' | 'email' | 'url'

/** A field of a form, from a property of a JSON Schema. */
export type Field = Base &
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

/** Returns the path of a member of the value at `parent`. The root has the empty path. */
export function joinPath(parent: string, name: string | number): string {
  return parent === '' ? String(name) : `${parent}.${name}`
}

/** Below this depth, groups are JSON. It also ends schemas that contain themselves. */
const maxDepth = 3
/** A text that may be longer than this gets more than one line. */
const maxOneLine = 300

/**
 * Fields of an object schema. A property that no field expresses becomes a field for JSON. Undefined if the schema as a whole
 * needs JSON: it combines other schemas, or it accepts properties that it does not name and names none.
 */
export function toFields(schema: Json): Field[] | undefined {
  const root = resolve(schema, schema)
  if (combiners.some((keyword) => keyword in root)) return undefined
  const fields = listFields(root, { root: schema, isNeeded: true, depth: 0 })
  const isOpen = root['additionalProperties'] !== false && root['additionalProperties'] !== undefined
  return fields.length === 0 && isOpen ? undefined : fields
}

/** Keywords that make the rule of one property depend on others. */
const combiners = ['allOf', 'anyOf', 'oneOf', 'if', 'not', 'dependentSchemas', 'dependencies', 'patternProperties']

/** `isNeeded`: the object must be there, and with it its required properties. */
type Place = { root: Json; isNeeded: boolean; depth: number }

function listFields(schema: Json, place: Place): Field[] {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const fields = Object.entries(toRecord(schema['properties'])).map(([name, property]) =>
    toField(name, property, { ...place, isNeeded: place.isNeeded && required.has(name) }),
  )
  return fields.toSorted((one, other) => rank(one) - rank(other))
}

function toField(name: string, property: unknown, place: Place): Field {
  const { root, isNeeded: isRequired } = place
  const schema = withoutNull(resolve(toRecord(property), root), root)
  const { title, description, default: initial, const: constant } = schema
  const base: Base = {
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
      return { ...base, kind: 'text', format: toFormat(name, schema), ...pick(schema, 'minLength', 'maxLength') }
    case 'integer':
    case 'number':
      return {
        ...base,
        kind: 'number',
        isWhole: schema['type'] === 'integer',
        ...rename(pick(schema, 'minimum', 'maximum')),
      }
    case 'boolean':
      return isRequired || typeof initial === 'boolean'
        ? { ...base, kind: 'switch', initial: initial === true }
        : { ...base, kind: 'choice', options: [true, false] }
    case 'array':
      return toListField(base, resolve(toRecord(schema['items']), root), place)
    case 'object': {
      const fields = listNested(schema, place)
      return fields.length === 0 ? { ...base, kind: 'json', type: 'object' } : { ...base, kind: 'group', fields }
    }
    default:
      return { ...base, kind: 'json', type: 'value' }
  }
}

function toListField(base: Base, items: Json, place: Place): Field {
  const options = listOptions(items)
  if (options !== undefined) return { ...base, kind: 'choices', options }
  const { type } = items
  if (type === 'string') return { ...base, kind: 'items', isNumeric: false }
  if (type === 'number' || type === 'integer') return { ...base, kind: 'items', isNumeric: true }
  const fields = type === 'object' ? listNested(items, { ...place, isNeeded: true }) : []
  return fields.length === 0 ? { ...base, kind: 'json', type: 'list' } : { ...base, kind: 'groups', fields }
}

/** Required fields come first, and long ones last. The database does not keep the order of a schema's properties. */
function rank(field: Field): number {
  const isLong =
    field.kind === 'json' || field.kind.startsWith('group') || (field.kind === 'text' && field.format === 'lines')
  return (field.isRequired ? 0 : 2) + (isLong ? 1 : 0)
}

function listNested(schema: Json, place: Place): Field[] {
  return place.depth < maxDepth ? listFields(schema, { ...place, depth: place.depth + 1 }) : []
}

/** The values of an enumeration; undefined if the schema is none. */
function listOptions({ enum: values, const: constant, oneOf, anyOf }: Json): readonly unknown[] | undefined {
  if (Array.isArray(values)) return values.filter((value) => value !== null)
  if (constant !== undefined) return [constant]
  const constants = [oneOf, anyOf].find(Array.isArray)?.map((one: unknown) => toRecord(one)['const'])
  return constants === undefined || constants.includes(undefined) ? undefined : constants
}

/** Follows references within the schema. */
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

/** The schema without the alternative `null`, which a form expresses by an empty field. */
function withoutNull(schema: Json, root: Json): Json {
  const { type, anyOf, oneOf, ...rest } = schema
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== 'null')
    return { ...schema, type: types.length === 1 ? types[0] : types }
  }
  const alternatives: unknown = anyOf ?? oneOf
  if (!Array.isArray(alternatives)) return schema
  const real = alternatives.filter((one) => !(isRecord(one) && one['type'] === 'null'))
  const [only] = real
  if (real.length === 1 && isRecord(only)) return { ...resolve(only, root), ...rest }
  return schema
}

function toFormat(name: string, { format, maxLength }: Json): TextFormat {
  if (format === 'date' || format === 'date-time' || format === 'email') return format
  if (format === 'uri' || format === 'url') return 'url'
  if (format !== undefined) return 'text'
  const isLong = typeof maxLength === 'number' ? maxLength > maxOneLine : longNames.test(name)
  return isLong ? 'lines' : 'text'
}

const longNames = /text|body|content|message|description|comment|note/i

function toLabel(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
  if (words === '') return name
  return (words.charAt(0).toUpperCase() + words.slice(1)).replaceAll(/\b(id|url)\b/gi, (word) => word.toUpperCase())
}

function pick<Key extends string>(schema: Json, ...keys: Key[]): Partial<Record<Key, number>> {
  const found = keys.flatMap((key) => (typeof schema[key] === 'number' ? [[key, schema[key]] as const] : []))
  return Object.fromEntries(found) as Partial<Record<Key, number>>
}

function rename({ minimum, maximum }: { minimum?: number; maximum?: number }): { min?: number; max?: number } {
  return { ...(minimum !== undefined && { min: minimum }), ...(maximum !== undefined && { max: maximum }) }
}
