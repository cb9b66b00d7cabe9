import { z } from 'zod'
import { describeIssue } from '../../domain/fields/issues.ts'
import { ApiError, invalidField, type PathSegment } from './errors.ts'

type FinalIssue = z.core.$ZodIssue

// A schema's error message is either a predicate, to which the field name is prepended, or a complete sentence.
const continuesFieldName = /^(?:must|is|has|contains|needs)\b/

const parseOptions = { error: describeIssue }

/** Returns the parsed value, or throws a 400 that names the first invalid field, in schema order, and its rule. */
export function validate(schema: z.ZodType, value: unknown, place: 'params' | 'query' | 'body'): unknown {
  const parsed = schema.safeParse(value, parseOptions)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue === undefined) throw new Error('a schema rejected a value without an issue')
  const path = readIssuePath(issue)
  const name = path.length === 0 ? `Request ${place}` : path.join('.')
  throw new ApiError(
    'invalid_request',
    continuesFieldName.test(issue.message) ? `${name} ${issue.message}` : issue.message,
    {
      missingFields: place === 'params' ? [] : path,
    },
  )
}

/**
 * Parses query text to a record. An empty value is treated as absent. A declared name may appear once and not as a list
 * (`limit[]=`); other names are ignored.
 */
export function parseQuery(text: string, schema: z.ZodType): Record<string, string> {
  const query: Record<string, string> = Object.create(null) as Record<string, string>
  if (text === '') return query
  const declared: object = schema instanceof z.ZodObject ? schema.shape : {}
  const seenNames = new Set<string>()
  for (const [name, value] of new URLSearchParams(text)) {
    const [field = ''] = name.split('[', 1)
    if (Object.hasOwn(declared, field) && (field !== name || seenNames.has(name))) rejectRepeated(field)
    seenNames.add(name)
    if (value.includes('\0')) throw invalidField(`${name} contains a character that cannot be stored`, name)
    if (value !== '') query[name] = value
  }
  return query
}

function readIssuePath(issue: FinalIssue): PathSegment[] {
  const path = issue.path.map((segment) => (typeof segment === 'number' ? segment : String(segment)))
  return issue.code === 'unrecognized_keys' ? [...path, ...issue.keys.slice(0, 1)] : path
}

function rejectRepeated(name: string): never {
  throw invalidField(`${name} must be sent once, as ${name}=value`, name)
}
