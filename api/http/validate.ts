import { z } from 'zod'
import { ApiError, type PathSegment } from './errors.ts'

type Issue = z.core.$ZodRawIssue
type FinalIssue = z.core.$ZodIssue

const nouns: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}
const formats: Record<string, string> = {
  guid: 'must be a UUID',
  uuid: 'must be a UUID',
  url: 'must be a URL',
  email: 'must be an email address',
  datetime: 'must be an ISO 8601 time',
  date: 'must be an ISO 8601 date',
  safeint: 'must be an integer',
}
const units: Record<string, string> = { string: 'characters', array: 'items', set: 'items' }

// A schema's own message either continues the field's name or stands alone.
const continues = /^(?:must|is|has|contains|needs)\b/

const parseOptions = { error: words }

/** The parsed value, or a 400 that names the first failing field, in schema order, and its rule. */
export function validate(schema: z.ZodType, value: unknown, place: 'params' | 'query' | 'body'): unknown {
  const parsed = schema.safeParse(value, parseOptions)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue === undefined) throw new Error('a schema refused a value and gave no reason')
  const path = pathOf(issue)
  const name = path.length === 0 ? `Request ${place}` : path.join('.')
  throw new ApiError('invalid_request', continues.test(issue.message) ? `${name} ${issue.message}` : issue.message, {
    missingFields: place === 'params' ? [] : path,
  })
}

/**
 * Query text as a record: an empty value counts as absent. What the schema names may be given once and in no form of a
 * list (`limit[]=`); other names are ignored.
 */
export function parseQuery(text: string, schema: z.ZodType): Record<string, string> {
  const query: Record<string, string> = Object.create(null) as Record<string, string>
  if (text === '') return query
  const known: object = schema instanceof z.ZodObject ? schema.shape : {}
  const given = new Set<string>()
  for (const [name, value] of new URLSearchParams(text)) {
    const [field = ''] = name.split('[', 1)
    if (Object.hasOwn(known, field) && (field !== name || given.has(name))) refuseRepeated(field)
    given.add(name)
    if (value.includes('\0'))
      throw new ApiError('invalid_request', `${name} contains a character that cannot be stored`, {
        missingFields: [name],
      })
    if (value !== '') query[name] = value
  }
  return query
}

/** Where the schema gives no words of its own. */
function words(issue: Issue): string {
  return issue.code === 'unrecognized_keys' ? 'is not a known field' : ruleOf(issue)
}

function ruleOf(issue: Issue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${nouns[issue.expected] ?? `a ${issue.expected}`}`
    case 'invalid_format':
      return formats[issue.format] ?? 'has an invalid format'
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'too_small':
      return bound('at least', issue.minimum, issue.origin)
    case 'too_big':
      return bound('at most', issue.maximum, issue.origin)
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`
    default:
      return 'is invalid'
  }
}

function bound(word: string, limit: unknown, origin: string): string {
  return origin in units ? `must have ${word} ${String(limit)} ${units[origin]}` : `must be ${word} ${String(limit)}`
}

function pathOf(issue: FinalIssue): PathSegment[] {
  const path = issue.path.map((segment) => (typeof segment === 'number' ? segment : String(segment)))
  return issue.code === 'unrecognized_keys' ? [...path, ...issue.keys.slice(0, 1)] : path
}

function refuseRepeated(name: string): never {
  throw new ApiError('invalid_request', `${name} must be given once, as ${name}=value`, { missingFields: [name] })
}
