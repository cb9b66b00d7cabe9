import { z } from 'zod'
import { normalizeEmail } from '../emails.ts'

// Whatever separates, quotes or groups addresses is not part of a plain one.
const plainLocalPart = /^[^\s\p{C}()<>@,;:\\"[\]]+$/u
const plainDomain = /^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/

/** One plain address in its normal form: no display name, no group, no comment. */
export const plainAddress = z
  .string()
  .transform((value, ctx) => {
    const address = normalizeEmail(value)
    const at = address?.lastIndexOf('@') ?? -1
    if (address !== undefined && plainLocalPart.test(address.slice(0, at)) && plainDomain.test(address.slice(at + 1)))
      return address
    ctx.addIssue('must be a plain email address')
    return z.NEVER
  })
  .meta({ override: { type: 'string', format: 'email', maxLength: 254 } })
