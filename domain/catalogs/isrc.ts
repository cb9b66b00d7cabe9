import { z } from 'zod'

/** ASCII letters only: upper-casing turns some other letters into ASCII. */
const written = /^[A-Za-z]{2}[A-Za-z0-9]{10}$/

/** The normalized recording code: no hyphens, upper case. Undefined if invalid. */
export function normalIsrc(text: string): string | undefined {
  const code = text.replaceAll('-', '')
  return written.test(code) ? code.toUpperCase() : undefined
}

/** A recording code in a request, normalized on output. */
export const isrc = z
  .string()
  .transform((text, ctx) => {
    const normal = normalIsrc(text)
    if (normal !== undefined) return normal
    ctx.addIssue('must have two letters and ten letters or digits')
    return z.NEVER
  })
  .meta({ override: { type: 'string', pattern: '^-*([A-Za-z]-*){2}([A-Za-z0-9]-*){10}$' } })
