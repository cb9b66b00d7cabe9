import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { normalizeDomain } from '../domain/mail/addresses.ts'
import { parseUrl } from '../domain/fields/url.ts'

export const flag = z.stringbool({ truthy: ['true', '1', 'on', 'yes'], falsy: ['false', '0', 'off', 'no'] })
export const port = z.coerce.number().int().min(1).max(65535)
export const count = z.coerce.number().int().min(0)
export const host = z
  .string()
  .regex(/^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a host name in lower case, without www.')
export const modelId = z.string().regex(/^[^/\s]+\/\S+$/, 'must have the form provider/model')

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
}

export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}
export const addressList = z
  .string()
  .refine((text) => splitList(text).every((part) => ipaddr.isValid(part) || ipaddr.isValidCIDR(part)), {
    error: 'must be a list of IP addresses or networks',
  })

export const accountList = z
  .string()
  .toLowerCase()
  .refine((text) => splitList(text).every((part) => z.guid().safeParse(part).success), {
    error: 'must be a list of account ids',
  })

export const hostList = z.string().refine((text) => splitList(text).every(isHostName), {
  error: 'must be a list of host names in lower case, without ports',
})
/** A domain, in the lower-case ASCII form of URLs. */
export const emailDomain = z.string().transform((text, ctx) => {
  const domain = normalizeDomain(text)
  if (domain !== undefined) return domain
  ctx.addIssue('must be a domain')
  return z.NEVER
})

/** Hosts for which TLS is not required. */
export const loopbackHostnames = new Set(['localhost', '127.0.0.1', '[::1]'])

function isHostName(text: string): boolean {
  return parseUrl(`http://${text}`)?.hostname === text
}
