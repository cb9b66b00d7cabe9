import { z } from 'zod'

// What would mean something else in a header that lists addresses.
const unfit = /[\s\p{Cc}@"(),:;<>[\]\\]/u

/** An address in the one form in which addresses are stored and compared: trimmed, lower case, domain in ASCII. */
export const normalizeEmail = (text: string): string | undefined => {
  const address = text.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  if (at < 1 || at === address.length - 1 || unfit.test(address.slice(0, at)) || /[\s@]/.test(address.slice(at + 1)))
    return undefined
  const domain = address.slice(at + 1)
  const target = `http://${domain}/`
  if (/[/?#:\\[\]%]/.test(domain) || !URL.canParse(target)) return undefined
  const normalized = `${address.slice(0, at)}@${new URL(target).hostname}`
  return normalized.length <= 254 ? normalized : undefined
}

export const email = z
  .string()
  .transform((value, ctx) => {
    const normalized = normalizeEmail(value)
    if (normalized !== undefined) return normalized
    ctx.addIssue('must be an email address')
    return z.NEVER
  })
  .meta({ override: { type: 'string', format: 'email', maxLength: 254 } })
