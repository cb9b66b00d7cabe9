import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSchemaChecker, type SchemaChecker } from '../../../api/connectors/check/checker.ts'
import { createMetrics } from '../../../api/monitoring/metrics.ts'
import { explainUnusableSchema } from '../../../domain/connectors/schemas.ts'

let checker: SchemaChecker
beforeAll(() => {
  checker = createSchemaChecker({ config: { LIMIT_SHARE_PERCENT: 25 }, metrics: createMetrics() })
})
afterAll(() => checker.close())

const text = (more: object) => ({ type: 'object', properties: { text: { type: 'string', ...more } } })
/** A pattern whose backtracking takes exponential time. */
const slow = text({ pattern: '^(a+)+$' })
const hostile = { text: `${'a'.repeat(40)}!` }

test('a validation that takes too long is ended, and the next validation runs in a new thread', async () => {
  const begun = performance.now()
  const verdicts = await Promise.all([
    checker.check('account', slow, hostile),
    checker.check('account', text({}), { text: 1 }),
  ])
  expect(verdicts).toEqual(['timeout', { valid: false, error: 'parameters.text must be string' }])
  expect(performance.now() - begun).toBeLessThan(10_000)
  expect(await checker.check('account', slow, { text: 'aaa' })).toEqual({ valid: true })
})

test.each<[string, object, object, string]>([
  [
    'a path with items',
    { properties: { list: { items: { type: 'integer' } } } },
    { list: [1, 'x'] },
    'parameters.list.1 must be integer',
  ],
  ['a missing member', { properties: { a: { required: ['b'] } } }, { a: {} }, 'parameters.a.b is required'],
  ['an unknown member', { additionalProperties: false }, { 'x/y': 1 }, 'parameters.x/y is not a known parameter'],
  ['a format', text({ format: 'email' }), { text: 'x' }, 'parameters.text must match format "email"'],
  [
    'a reference within the schema',
    { $ref: '#/$defs/a', $defs: { a: { required: ['b'] } } },
    {},
    'parameters.b is required',
  ],
  [
    'an earlier dialect',
    { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { items: [{ type: 'string' }] } } },
    { a: [1] },
    'parameters.a.0 must be string',
  ],
  ['an asynchronous validator', { $async: true, required: ['b'] }, {}, 'parameters.b is required'],
])('the error describes %s', async (_, schema, parameters, error) => {
  expect(await checker.check('account', schema as never, parameters as never)).toEqual({ valid: false, error })
})

test('an invalid schema is reported as invalid, and unknown keywords are ignored', async () => {
  expect(await checker.check('account', { type: 'nothing' }, {})).toEqual({ unusable: true })
  expect(await checker.check('account', { $ref: '#/$defs/absent' }, {})).toEqual({ unusable: true })
  expect(await checker.check('account', { 'x-vendor': true, format: 'int32', file_uploadable: true }, {})).toEqual({
    valid: true,
  })
})

test('schemas that are too large or too deep or refer to another document are rejected', () => {
  const deep = Array.from({ length: 70 }).reduce<object>((inner) => ({ properties: { a: inner } }), {})
  expect(explainUnusableSchema(deep as never)).toMatch(/levels deep/)
  expect(explainUnusableSchema({ description: 'x'.repeat(300_000) })).toMatch(/characters/)
  for (const externalRef of ['https://example.com/schema', 'other.json', '//example.com#/a'])
    expect(explainUnusableSchema({ properties: { a: { items: [{ $ref: externalRef }] } } })).toBe(
      'refers to another document',
    )
  expect(
    explainUnusableSchema({ properties: { $ref: { type: 'string' } }, default: { $ref: 'no reference' } }),
  ).toBeUndefined()
})
