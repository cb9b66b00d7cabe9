import { z } from 'zod'
import { email } from './addresses.ts'
import { codePoints, patterns, text, uuid } from '../fields/fields.ts'
import { mailHeaders } from './headers.ts'

const mostRecipients = 50
const mostCharacters = 1_000_000
const mostSubject = 998

const subject = z
  .string()
  .trim()
  .superRefine((value, ctx) => {
    if (codePoints(value) > mostSubject) ctx.addIssue(`must have at most ${mostSubject} characters`)
    if (/\p{Cc}/u.test(value)) ctx.addIssue('must not contain control characters')
  })
  .meta({ maxLength: mostSubject, pattern: patterns.plain })

/** What POST /api/emails takes. */
export const emailRequest = z.object({
  to: z.array(email).min(1).max(mostRecipients).optional(),
  cc: z.array(email).max(mostRecipients).optional(),
  subject: subject.optional(),
  text: text(0, mostCharacters).optional(),
  html: text(0, mostCharacters).optional(),
  headers: mailHeaders.optional(),
  chat_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,100}$/)
    .optional(),
  account_id: uuid.optional(),
})
