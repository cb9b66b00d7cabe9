import { z } from 'zod'
import { normalizeEmail } from '../mail/addresses.ts'
import { text, trimmedText } from '../fields/fields.ts'
import { isUuid } from '../fields/ids.ts'
import { knowledges, knowledgesResponse, toKnowledgesResponse, type Knowledge } from '../artists/knowledges.ts'
import { clearableUrl, keepWebUrl } from '../fields/stored-url.ts'
import { toWire } from '../wire.ts'

const accountKinds = ['person', 'organization', 'artist'] as const
export type AccountKind = (typeof accountKinds)[number]

const clearableText = trimmedText(0, 200).transform(orNull).optional()

/** Fields of an account that its owner can change. Null clears a field. */
export const accountChanges = {
  name: trimmedText(1, 200).optional(),
  image: clearableUrl.optional(),
  instruction: text(0, 10_000).transform(orNull).optional(),
  organization: clearableText,
  job_title: clearableText,
  role_type: clearableText,
  company_name: clearableText,
  knowledges: knowledges.optional(),
}

export type AccountChanges = { [Field in keyof typeof accountChanges]?: z.output<(typeof accountChanges)[Field]> }

/** Identifies an account in a path, by its id or an email address. */
export type AccountReference = { accountId: string } | { email: string }

export const accountReference = z
  .string()
  .transform((value, ctx): AccountReference => {
    if (isUuid(value)) return { accountId: value.toLowerCase() }
    const email = normalizeEmail(value)
    if (email !== undefined) return { email }
    ctx.addIssue('must be a UUID or an email address')
    return z.NEVER
  })
  .meta({
    override: {
      anyOf: [
        { type: 'string', format: 'uuid', pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' },
        { type: 'string', format: 'email', maxLength: 254 },
      ],
    },
  })

export type AccountRecord = {
  id: string
  kind: AccountKind
  name: string | null
  image: string | null
  instruction: string | null
  organization: string | null
  jobTitle: string | null
  roleType: string | null
  companyName: string | null
  knowledges: Knowledge[]
  emails: string[]
  createdAt: Date
  updatedAt: Date
}

export const accountSchema = z
  .object({
    id: z.guid(),
    kind: z.enum(accountKinds),
    name: z.string().nullable(),
    image: z.string().nullable(),
    instruction: z.string().nullable(),
    organization: z.string().nullable(),
    job_title: z.string().nullable(),
    role_type: z.string().nullable(),
    company_name: z.string().nullable(),
    knowledges: knowledgesResponse,
    emails: z.array(z.string()),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Account' })

export function toAccountResponse(account: AccountRecord): z.output<typeof accountSchema> {
  const { image, knowledges } = account
  return toWire(accountSchema, {
    ...account,
    image: keepWebUrl(image),
    knowledges: toKnowledgesResponse(knowledges),
  })
}

/** Returns null for an empty string, which clears the field. */
function orNull(value: string): string | null {
  return value || null
}
