import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { normalizeDomain } from '../domain/mail/addresses.ts'
import { parseUrl } from '../domain/fields/url.ts'

/** Creates the schema of a setting: `setting()` is optional, `setting(value)` has a default. */
function kind<S extends z.ZodType>(schema: S) {
  function setting(): z.ZodOptional<S>
  function setting(value: z.output<S>): z.ZodDefault<S>
  function setting(value?: z.output<S>) {
    return value === undefined ? schema.optional() : schema.default(value as never)
  }
  return setting
}

/** A whole number from `min` to `max`. */
export function between(min: number, max = Number.MAX_SAFE_INTEGER) {
  return kind(z.coerce.number().int().min(min).max(max))
}

const trueOrFalse = { truthy: ['true', '1', 'on', 'yes'], falsy: ['false', '0', 'off', 'no'] }
export const flag = kind(z.stringbool(trueOrFalse))
export const port = between(1, 65_535)
export const count = between(0)
export const positive = between(1)
export const anyText = kind(z.string())
export const anyUrl = kind(z.url())
export const host = matching(/^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a host name in lower case, without www.')
export const modelId = matching(/^[^/\s]+\/\S+$/, 'must have the form provider/model')

/** Text that matches the pattern. `error` describes the form. */
export function matching(pattern: RegExp, error: string) {
  return kind(z.string().regex(pattern, error))
}

/** A comma-separated list of valid parts. */
export function listOf(isValid: (part: string) => boolean, error: string) {
  return kind(z.string().refine((text) => splitList(text).every(isValid), error))
}

/** One of these values. The first is the default. */
export function choice<const Value extends string>(values: readonly [Value, ...Value[]]) {
  return z.enum(values).default(values[0])
}

/** Optional text that must stay private. */
export function secret(description: string, minLength = 0) {
  return z.string().min(minLength).optional().meta({ description, secret: true })
}

/** Optional JSON. */
export function json<S extends z.ZodType>(schema: S) {
  return z
    .string()
    .transform((text, ctx): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        ctx.addIssue('must be JSON')
        return z.NEVER
      }
    })
    .pipe(schema)
    .optional()
}

export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

export const addressList = listOf(
  (part) => ipaddr.isValid(part) || ipaddr.isValidCIDR(part),
  'must be a list of IP addresses or networks',
)
export const accountList = kind(
  z
    .string()
    .toLowerCase()
    .refine(
      (text) => splitList(text).every((part) => z.guid().safeParse(part).success),
      'must be a list of account ids',
    ),
)
export const hostList = listOf(isHostName, 'must be a list of host names in lower case, without ports')
/** A domain, in the lower-case ASCII form of URLs. */
export const emailDomain = kind(
  z.string().transform((text, ctx) => {
    const domain = normalizeDomain(text)
    if (domain !== undefined) return domain
    ctx.addIssue('must be a domain')
    return z.NEVER
  }),
)

/** Hosts for which TLS is not required. */
export const loopbackHostnames = new Set(['localhost', '127.0.0.1', '[::1]'])

function isHostName(text: string): boolean {
  return parseUrl(`http://${text}`)?.hostname === text
}
