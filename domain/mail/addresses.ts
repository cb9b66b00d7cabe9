import { z } from 'zod'
import { parseUrl } from '../fields/url.ts'

/** Of what comes in, blanks around it included. */
const maxGivenCharacters = 1000
const maxCharacters = 254
// RFC 5321 has 64, and agents have as many behind `agent+`.
const maxLocalCharacters = 70
const maxDomainCharacters = 253

/** RFC 5321's atext and dots, which some services take anywhere: nothing that quotes, lists, groups or breaks a line. */
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+$/
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** A last label by which some programs take the whole for an IP address. */
const numeric = /^(?:\d+|0x[0-9a-f]*)$/
const isAscii = /^[\0-\x7F]*$/

/** A domain in its ASCII form and lower case; undefined for IP addresses, and for everything that is not one. */
export function normalizeDomain(text: string): string | undefined {
  const labels = lowerAscii(text).split('.').map(asciiLabel)
  const domain = labels.join('.')
  const isDomain = labels.every((each) => each !== undefined) && !numeric.test(labels.at(-1) ?? '')
  return isDomain && domain.length <= maxDomainCharacters ? domain : undefined
}

/**
 * One plain address in the one form in which addresses are stored and compared: trimmed, ASCII letters in lower case, the
 * domain in ASCII. Undefined for everything else, also for local parts in other alphabets, which few services deliver to.
 */
export function normalizeEmail(text: string): string | undefined {
  if (text.length > maxGivenCharacters) return undefined
  const address = text.replaceAll(/^[ \t\r\n]+|(?<![ \t\r\n])[ \t\r\n]+$/g, '')
  const at = address.lastIndexOf('@')
  const local = lowerAscii(address.slice(0, Math.max(at, 0)))
  if (local.length > maxLocalCharacters || !localPart.test(local)) return undefined
  const domain = normalizeDomain(address.slice(at + 1))
  const normalized = `${local}@${domain ?? ''}`
  return domain !== undefined && normalized.length <= maxCharacters ? normalized : undefined
}

/** One plain address: no display name, no group, no comment. */
export const email = z
  .string()
  .transform((value, ctx) => {
    const normalized = normalizeEmail(value)
    if (normalized !== undefined) return normalized
    ctx.addIssue('must be an email address')
    return z.NEVER
  })
  .meta({ override: { type: 'string', format: 'email', maxLength: maxCharacters } })

// Other alphabets have letters whose lower case is an ASCII one: K (U+212A) would name the account of k.
function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** A label as DNS has it. One with other letters has to remain one: what folds to ASCII would be another domain's. */
function asciiLabel(given: string): string | undefined {
  const isPlain = isAscii.test(given)
  if (isPlain && !given.startsWith('xn--')) return label.test(given) ? given : undefined
  const hostname = parseUrl(`http://${given}/`)?.hostname
  if (hostname === undefined || !hostname.startsWith('xn--') || !label.test(hostname)) return undefined
  return isPlain && hostname !== given ? undefined : hostname
}
