import { z } from 'zod'
import { codePoints } from './fields.ts'
import { parseUrl } from './url.ts'

const maxCharacters = 2048
const invalidCharacters = /[\s\p{Cc}\\]/u
const rule = { error: `must be an http or https URL of at most ${maxCharacters} characters` }
const shape = { override: { type: 'string', format: 'uri', maxLength: maxCharacters } } as const

/** URL that is stored and shown, and that this service never fetches. */
export const storedUrl = z.string().refine(isStorableUrl, rule).meta(shape)

/** Like `storedUrl`; an empty string means no URL. */
export const clearableUrl = z
  .string()
  .refine((value) => value === '' || isStorableUrl(value), rule)
  .transform((value) => value || null)
  .meta({ override: { anyOf: [{ type: 'string', maxLength: 0 }, shape.override] } })

/** Returns the text if it is a URL with an allowed scheme; otherwise null. */
export function keepWebUrl(value: string | null): string | null {
  return value !== null && isWebAddress(value) ? value : null
}

function isStorableUrl(value: string): boolean {
  return codePoints(value) <= maxCharacters && !invalidCharacters.test(value) && isWebAddress(value)
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && parseUrl(value) !== undefined
}
