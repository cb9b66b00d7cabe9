import { z } from 'zod'

/** Length in Unicode code points: what every limit on a request string counts. */
export const codePoints = (text: string): number => Array.from(text).length

/** A UUID of any version and letter case; lower case out. */
export const uuid = z.guid().toLowerCase()

const between = (text: z.ZodString, min: number, max: number) =>
  text
    .refine(
      (value) => {
        const length = codePoints(value)
        return length >= min && length <= max
      },
      { error: `must have ${min} to ${max} characters` },
    )
    .meta({ minLength: min, maxLength: max })

/** A string of `min` to `max` characters. */
export const text = (min: number, max: number) => between(z.string(), min, max)

/** A string of `min` to `max` characters, counted and kept without the white space around it. */
export const trimmedText = (min: number, max: number) => between(z.string().trim(), min, max)

/** An integer in a query, where it arrives as digits. Absent means `standard`. */
export const queryInteger = (min: number, max: number, standard: number) =>
  z
    .string()
    .refine((digits) => /^\d{1,16}$/.test(digits), { error: 'must be an integer' })
    .transform(Number)
    .pipe(z.number().int().min(min).max(max))
    .default(standard)
    .meta({ override: { type: 'integer', minimum: min, maximum: max, default: standard } })
