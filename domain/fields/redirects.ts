import { z } from 'zod'
import { parseUrl } from './url.ts'

export type RedirectRules = {
  productionMode: boolean
  /** Allowed origins; undefined allows any. */
  origins: readonly string[] | undefined
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const forbiddenCharacters = /[\p{Cc}\s\\]/u

/** Returns why a redirect target is not allowed; undefined if it is allowed. */
export function explainInvalidRedirect(text: string, { productionMode, origins }: RedirectRules): string | undefined {
  if (text.length > 2048) return 'must have at most 2048 characters'
  const url = forbiddenCharacters.test(text) ? undefined : parseUrl(text)
  if (url === undefined) return 'must be an absolute https URL'
  const { protocol, hostname, username, password, origin } = url
  const isHttps = protocol === 'https:' || (protocol === 'http:' && !productionMode && loopback.test(hostname))
  if (!isHttps || !/^https?:\/\/[^/]/i.test(text)) return 'must be an absolute https URL'
  if (username !== '' || password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text)) return 'must not contain credentials'
  if (origins !== undefined && !origins.includes(origin)) return 'must have an origin that this service may send to'
  return undefined
}

/** Schema of a redirect target. */
export function redirectTarget(rules: RedirectRules) {
  return z
    .string()
    .transform((value, ctx) => {
      const issue = explainInvalidRedirect(value, rules)
      if (issue === undefined) return value
      ctx.addIssue(issue)
      return z.NEVER
    })
    .meta({ override: { type: 'string', format: 'uri', maxLength: 2048, pattern: buildSchemePattern(rules) } })
}

function buildSchemePattern({ productionMode }: RedirectRules): string {
  return productionMode ? '^https://' : '^(https://|http://(localhost|127(\\.[0-9]{1,3}){3}|\\[::1\\])([:/?#]|$))'
}
