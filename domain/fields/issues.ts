import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue

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

/**
 * Describes the violated rule as the rest of a sentence that starts with the field: `must be an integer`. Never contains the
 * value. Used for schemas without their own message.
 */
export function describeIssue(issue: Issue): string {
  return issue.code === 'unrecognized_keys' ? 'is not a known field' : describeRule(issue)
}

function describeRule(issue: Issue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${nouns[issue.expected] ?? `a ${issue.expected}`}`
    case 'invalid_format':
      return formats[issue.format] ?? 'has an invalid format'
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'too_small':
      return describeBound('at least', issue.minimum, issue.origin)
    case 'too_big':
      return describeBound('at most', issue.maximum, issue.origin)
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`
    default:
      return 'is invalid'
  }
}

function describeBound(word: string, limit: unknown, origin: string): string {
  return origin in units ? `must have ${word} ${String(limit)} ${units[origin]}` : `must be ${word} ${String(limit)}`
}
