import { z } from 'zod'
import { codePoints } from '../fields/fields.ts'

const namePattern = /^[A-Za-z0-9-]{1,64}$/
const allowedHeaders = new Set([
  'in-reply-to',
  'references',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'auto-submitted',
])
const maxHeaders = 20
const maxCharacters = 998

// Headers that email services interpret as commands, for example for another sender, recipients, templates or tracking.
const vendorCommands =
  /^x-(?:smtpapi$|msys-api$|bcc$|cc$|to$|rcpt|envelope|original-to$|priority$|msmail-priority$|mailer$|(?:amz|ses|resend|mailgun|mg|pm|mj|mc|mt|sib|mailin|sendgrid|sg|mandrill|postmark|sparkpost|csa|smtp2go|elasticemail|brevo)-)/

const controlCharacter = /\p{Cc}/u

const shape = {
  type: 'object',
  propertyNames: {
    pattern: '^([Xx]-[A-Za-z0-9-]{0,62}|In-Reply-To|References|List-Unsubscribe|List-Unsubscribe-Post|Auto-Submitted)$',
  },
  additionalProperties: { type: 'string', maxLength: maxCharacters, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
  maxProperties: maxHeaders,
} as const

/** Headers that a request may add. Other headers are rejected, never dropped. */
export const mailHeaders = z
  .record(z.string(), z.string())
  .superRefine((headers, ctx) => {
    const names = Object.keys(headers)
    if (names.length > maxHeaders) ctx.addIssue(`must have at most ${maxHeaders} headers`)
    const keys = new Set<string>()
    for (const name of names) {
      const problem = keys.has(name.toLowerCase()) ? 'occurs twice' : explainInvalidHeader(name, headers[name] ?? '')
      keys.add(name.toLowerCase())
      if (problem !== undefined)
        ctx.addIssue(`must contain only valid headers: ${namePattern.test(name) ? `${name} ` : ''}${problem}`)
    }
  })
  .meta({ override: shape })

function explainInvalidHeader(name: string, value: string): string | undefined {
  const lower = name.toLowerCase()
  if (!namePattern.test(name)) return 'a name must have 1 to 64 letters, digits and hyphens'
  if (!lower.startsWith('x-') && !allowedHeaders.has(lower)) return 'is not allowed'
  if (vendorCommands.test(lower)) return 'is not allowed'
  if (codePoints(value) > maxCharacters) return `must have at most ${maxCharacters} characters`
  if (controlCharacter.test(value)) return 'must not contain control characters'
  return undefined
}
