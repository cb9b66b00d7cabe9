import { expect, test } from 'vitest'
import { createDrafts, FieldError, toDrafts, toValues } from '../../../web/console/connectors/form/drafts.ts'
import { toFields, type Field } from '../../../web/console/connectors/form/fields.ts'

type Schema = Record<string, unknown>

const object = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more })
const buildFields = (properties: Schema, more?: Schema): Field[] => toFields(object(properties, more)) ?? []
const listKinds = (properties: Schema, more?: Schema) =>
  Object.fromEntries(buildFields(properties, more).map(({ name, kind }) => [name, kind]))

test('each property becomes a field of its kind, or a JSON field if no other kind fits', () => {
  expect(
    listKinds({
      title: { type: 'string' },
      at: { type: ['string', 'null'], format: 'date-time' },
      size: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      color: { enum: ['red', 'blue'] },
      shape: { oneOf: [{ const: 'round' }, { const: 'square' }] },
      isPublic: { type: 'boolean' },
      isDraft: { type: 'boolean', default: true },
      tags: { type: 'array', items: { type: 'string' } },
      days: { type: 'array', items: { enum: ['mon', 'tue'] } },
      image: { type: 'object', file_uploadable: true },
      place: object({ city: { type: 'string' } }),
      guests: { type: 'array', items: object({ email: { type: 'string', format: 'email' } }) },
      extra: { type: 'object', additionalProperties: true },
      either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      matrix: { type: 'array', items: { type: 'array' } },
      unknown: {},
    }),
  ).toEqual({
    title: 'text',
    at: 'text',
    size: 'number',
    color: 'choice',
    shape: 'choice',
    isPublic: 'choice',
    isDraft: 'switch',
    tags: 'items',
    days: 'choices',
    image: 'file',
    place: 'group',
    guests: 'groups',
    extra: 'json',
    either: 'json',
    matrix: 'json',
    unknown: 'json',
  })
})

test('a field has a label, a hint and the limits of its schema', () => {
  expect(buildFields({ startsAt: { type: 'string', minLength: 2, maxLength: 9, description: 'When.' } })).toEqual([
    {
      kind: 'text',
      name: 'startsAt',
      label: 'Starts at',
      hint: 'When.',
      format: 'text',
      isRequired: false,
      initial: undefined,
      minLength: 2,
      maxLength: 9,
    },
  ])
})

test('references within the schema are resolved, including recursive references', () => {
  const node = object({ name: { type: 'string' }, child: { $ref: '#/$defs/node' } })
  const [root] = buildFields({ root: { $ref: '#/$defs/node' } }, { $defs: { node } })
  expect(root).toMatchObject({ kind: 'group', fields: [{ name: 'name' }, { name: 'child', kind: 'group' }] })
})

test.each([
  ['combines schemas', { oneOf: [object({ a: {} }), object({ b: {} })] }],
  ['depends on other properties', object({ a: { type: 'string' } }, { allOf: [{ required: ['a'] }] })],
  ['accepts any property', { type: 'object', additionalProperties: true }],
])('a schema that %s has no form', (_name, schema) => {
  expect(toFields(schema)).toBeUndefined()
})

test('a schema without properties has a form without fields', () => {
  expect(toFields({ type: 'object', properties: {}, additionalProperties: false })).toEqual([])
})

const fields = buildFields(
  {
    title: { type: 'string' },
    note: { type: 'string' },
    size: { type: 'integer' },
    color: { enum: ['red', 2] },
    tags: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { type: 'number' } },
    place: object({ city: { type: 'string' }, zip: { type: 'string' } }, { required: ['city'] }),
    guests: { type: 'array', items: object({ name: { type: 'string' } }, { required: ['name'] }) },
    extra: { type: 'object' },
  },
  { required: ['title'] },
)

test('empty optional fields are omitted, and empty required fields are sent', () => {
  expect(toValues(fields, createDrafts(fields))).toEqual({ title: '' })
})

test('parameters keep their values when they are converted to fields and back', () => {
  const values = {
    title: 'One',
    size: 3,
    color: 2,
    tags: ['a', 'b'],
    numbers: [1, 2.5],
    place: { city: 'Berlin' },
    guests: [{ name: 'Nina' }],
    extra: { deep: [1] },
  }
  expect(toValues(fields, toDrafts(fields, values))).toEqual(values)
})

test('invalid JSON in a field is reported with the path of the field', () => {
  const faulty = buildFields({ place: object({ extra: { type: 'object' } }) })
  const convert = (): unknown => toValues(faulty, { place: { extra: '{' } })
  expect(convert).toThrow(FieldError)
  expect(convert).toThrow('place.extra is not valid JSON')
})
