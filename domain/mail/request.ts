import { z } from 'zod'
import { email } from './addresses.ts'
import { codePoints, patterns, text, uuid } from '../fields/fields.ts'
import { mailHeaders } from './headers.ts'

const maxRecipients = 50
const maxBodyCharacters = 1_000_000
const maxSubjectCharacters = 998

const subject = z
  .string()
  .trim()
  .superRefine((value, ctx) => {
    if (codePoints(value) > maxSubjectCharacters) ctx.addIssue(`must have at most ${maxSubjectCharacters} characters`)
    if (/\p{Cc}/u.test(value)) ctx.addIssue('must not contain control characters')
  })
  .meta({ maxLength: maxSubjectCharacters, pattern: patterns.plain })

/** Request body of POST /api/emails. */
export const emailRequest = z.object({
  to: z
    .array(email)
    .min(1)
    .max(maxRecipients)
    .optional()
    .meta({ description: 'Recipients. Default: the email addresses of the account.' }),
  cc: z.array(email).max(maxRecipients).optional(),
  subject: subject.optional(),
  text: text(0, maxBodyCharacters).optional(),
  html: text(0, maxBodyCharacters).optional(),
  headers: mailHeaders.optional(),
  chat_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,100}$/)
    .optional(),
  account_id: uuid.optional(),
})
