import { z } from 'zod'

/** Returns the length in Unicode code points, the unit of all limits on request strings. */
export function codePoints(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; count += 1) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  return count
}

/** Returns at most the first `count` characters of a text, and splits none of them. Does not read the rest of a long text. */
export function firstCodePoints(text: string, count: number): string {
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('')
}

/** UUID of any version and letter case, converted to lower case. */
export const uuid = z.guid().toLowerCase()

const blank = '\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'
const control = '\\u0000-\\u001f\\u007f-\\u009f'

/** JSON Schema patterns of texts, for the OpenAPI document. They use only syntax that all regular expression dialects share. */
export const patterns = {
  /** No NUL. */
  storable: '^[^\\u0000]*$',
  /** No NUL, and at least one character that `trim` does not remove. */
  filled: `^[^\\u0000]*[^\\u0000${blank}][^\\u0000]*$`,
  /** No control characters, except at both ends, where `trim` removes them. */
  plain: `^[${blank}]*[^${control}]*[${blank}]*$`,
  filledPlain: `^[${blank}]*[^${control}]*[^${control}${blank}][^${control}]*[${blank}]*$`,
} as const

/** Schema of a response with these fields and `status: 'success'`. */
export function successOf<S extends z.ZodRawShape>(fields: S) {
  return z.object({ status: z.literal('success'), ...fields })
}

/** JSON Schema that requires at least one of these fields. */
export function anyRequired(names: readonly string[]) {
  return { anyOf: names.map((name) => ({ required: [name] })) }
}

/** JSON Schema that requires exactly one of these fields. */
export function oneRequired(names: readonly string[]) {
  return { oneOf: names.map((name) => ({ required: [name] })) }
}

/** A string of `min` to `max` characters. */
export function text(min: number, max: number) {
  return withLength(z.string(), min, max, patterns.storable)
}

/** A string of `min` to `max` characters after trimming. */
export function trimmedText(min: number, max: number) {
  return withLength(z.string().trim(), min, max, min === 0 ? patterns.storable : patterns.filled)
}

/** Integer in a query string, given as digits. */
export function queryInteger(min: number, max: number, defaultValue: number) {
  return digitsBetween(min, max)
    .default(defaultValue)
    .meta({ override: { type: 'integer', minimum: min, maximum: max, default: defaultValue } })
}

export function optionalQueryInteger(min: number, max: number, description: string) {
  return digitsBetween(min, max)
    .optional()
    .meta({ description, override: { type: 'integer', minimum: min, maximum: max } })
}

function digitsBetween(min: number, max: number) {
  return z
    .string()
    .refine((digits) => /^\d{1,16}$/.test(digits), { error: 'must be an integer' })
    .transform(Number)
    .pipe(z.number().int().min(min).max(max))
}

function withLength(text: z.ZodString, min: number, max: number, pattern: string) {
  return text
    .refine(
      (value) => {
        const length = codePoints(value)
        return length >= min && length <= max
      },
      { error: `must have ${min} to ${max} characters` },
    )
    .meta({ minLength: min, maxLength: max, pattern })
}
