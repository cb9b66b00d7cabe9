import { z } from 'zod'
import { parseUrl } from '../fields/url.ts'

/** Maximum length of an input, including surrounding blanks. */
const maxInputCharacters = 1000
const maxCharacters = 254
// RFC 5321 allows 64; addresses of agents have up to 64 after `agent+`.
const maxLocalCharacters = 70
const maxDomainCharacters = 253

/** The atext characters of RFC 5321, and dots at any position. No quotes, lists, groups or line breaks. */
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+$/
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Last label that makes some programs interpret the domain as an IP address. */
const numericLabel = /^(?:\d+|0x[0-9a-f]*)$/
const asciiPattern = /^[\0-\x7F]*$/

/** Normalizes a domain to ASCII in lower case; undefined for IP addresses and invalid domains. */
export function normalizeDomain(text: string): string | undefined {
  const labels = toLowerAscii(text).split('.').map(toAsciiLabel)
  const domain = labels.join('.')
  const isDomain = labels.every((each) => each !== undefined) && !numericLabel.test(labels.at(-1) ?? '')
  return isDomain && domain.length <= maxDomainCharacters ? domain : undefined
}

/**
 * Normalizes an email address to the form in which addresses are stored and compared: trimmed, lower case, domain in ASCII.
 * Returns undefined for any other text, including local parts with non-ASCII letters, to which few services deliver.
 */
export function normalizeEmail(text: string): string | undefined {
  if (text.length > maxInputCharacters) return undefined
  const address = text.replaceAll(/^[ \t\r\n]+|(?<![ \t\r\n])[ \t\r\n]+$/g, '')
  const at = address.lastIndexOf('@')
  const local = toLowerAscii(address.slice(0, Math.max(at, 0)))
  if (local.length > maxLocalCharacters || !localPart.test(local)) return undefined
  const domain = normalizeDomain(address.slice(at + 1))
  const normalized = `${local}@${domain ?? ''}`
  return domain !== undefined && normalized.length <= maxCharacters ? normalized : undefined
}

/** Plain email address without display name, group or comment. */
export const email = z
  .string()
  .transform((value, ctx) => {
    const normalized = normalizeEmail(value)
    if (normalized !== undefined) return normalized
    ctx.addIssue('must be an email address')
    return z.NEVER
  })
  .meta({ override: { type: 'string', format: 'email', maxLength: maxCharacters } })

// Converts only ASCII letters: the lower case of the Kelvin sign (U+212A) is k and would match the account of k.
function toLowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Converts a label to its DNS form. Rejects labels whose non-ASCII letters fold to ASCII, which would name another domain. */
function toAsciiLabel(text: string): string | undefined {
  const isAsciiLabel = asciiPattern.test(text)
  if (isAsciiLabel && !text.startsWith('xn--')) return label.test(text) ? text : undefined
  const hostname = parseUrl(`http://${text}/`)?.hostname
  if (hostname === undefined || !hostname.startsWith('xn--') || !label.test(hostname)) return undefined
  // Node 24 decodes and thereby validates a Punycode label only if another label has a non-ASCII letter.
  if (parseUrl(`http://${hostname}.\u00FC/`) === undefined) return undefined
  return isAsciiLabel && hostname !== text ? undefined : hostname
}
