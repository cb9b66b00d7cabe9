import { z } from 'zod'
import { text, trimmedText } from '../fields/fields.ts'
import { email } from '../mail/addresses.ts'

const fields = {
  title: trimmedText(3, 50),
  description: trimmedText(10, 200),
  prompt: text(20, 10_000),
  tags: z
    .array(text(1, 40))
    .max(20)
    .transform((tags) => [...new Set(tags)]),
  is_private: z.boolean(),
  share_emails: z
    .array(email)
    .max(100)
    .transform((emails) => [...new Set(emails)])
    .meta({
      description:
        'Email addresses whose accounts can see a private template. Replaces the list. Ignored for a public template.',
    }),
}

export const newTemplateSchema = z.object({
  ...fields,
  tags: fields.tags.default([]),
  is_private: fields.is_private.default(false),
  share_emails: fields.share_emails.default([]),
})

export const templateChangesSchema = z.object(fields).partial()

export type NewTemplate = z.output<typeof newTemplateSchema>
export type TemplateChanges = z.output<typeof templateChangesSchema>
