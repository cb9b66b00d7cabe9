import { z } from 'zod'

/** ASCII letters only, because upper-casing turns some other letters into ASCII. */
const pattern = /^[A-Za-z]{2}[A-Za-z0-9]{10}$/

/** Returns the ISRC in upper case without hyphens; undefined if it is invalid. */
export function normalizeIsrc(text: string): string | undefined {
  const code = text.replaceAll('-', '')
  return pattern.test(code) ? code.toUpperCase() : undefined
}

/** Validates and normalizes an ISRC of a request. */
export const isrc = z
  .string()
  .transform((text, ctx) => {
    const normalizedIsrc = normalizeIsrc(text)
    if (normalizedIsrc !== undefined) return normalizedIsrc
    ctx.addIssue('must have two letters followed by ten letters or digits')
    return z.NEVER
  })
  .meta({ override: { type: 'string', pattern: '^-*([A-Za-z]-*){2}([A-Za-z0-9]-*){10}$' } })
