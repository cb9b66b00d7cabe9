import { z } from 'zod'

/** Letters are those of ASCII: some others become such ones in upper case. */
const written = /^[A-Za-z]{2}[A-Za-z0-9]{10}$/

/** The recording code in its normal form: no hyphens, upper case. Undefined for what is none. */
export function normalIsrc(text: string): string | undefined {
  const code = text.replaceAll('-', '')
  return written.test(code) ? code.toUpperCase() : undefined
}

/** A recording code as a request gives it; the normal form out. */
export const isrc = z
  .string()
  .transform((text, ctx) => {
    const normal = normalIsrc(text)
    if (normal !== undefined) return normal
    ctx.addIssue('must have two letters and ten letters or digits')
    return z.NEVER
  })
  .meta({ override: { type: 'string', pattern: '^-*([A-Za-z]-*){2}([A-Za-z0-9]-*){10}$' } })
