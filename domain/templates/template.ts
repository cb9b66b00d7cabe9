import { z } from 'zod'
import { keepWebUrl } from '../fields/stored-url.ts'
import { toWire } from '../wire.ts'

/** A template in the view of one account. */
export type Template = {
  id: string
  title: string
  description: string
  prompt: string
  tags: string[]
  creator: { id: string; name: string | null; image: string | null; isAdmin: boolean } | null
  isPrivate: boolean
  isFavorite: boolean
  favoritesCount: number
  /** Only for the owner of a private template; otherwise empty. */
  sharedEmails: string[]
  createdAt: Date
  updatedAt: Date | null
}

export const templateSchema = z.object({
  id: z.guid(),
  title: z.string(),
  description: z.string(),
  prompt: z.string(),
  tags: z.array(z.string()),
  creator: z
    .object({ id: z.guid(), name: z.string().nullable(), image: z.string().nullable(), is_admin: z.boolean() })
    .nullable()
    .meta({ description: 'Null if the account was deleted.' }),
  is_private: z.boolean(),
  is_favourite: z.boolean().meta({ description: 'Whether the template is a favorite of the caller.' }),
  favorites_count: z.int(),
  shared_emails: z
    .array(z.string())
    .meta({ description: 'Only for the owner of a private template; otherwise empty.' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable().meta({ description: 'Null until the first change.' }),
})

export function toTemplateResponse(template: Template): z.output<typeof templateSchema> {
  const { creator, isFavorite: isFavourite } = template
  return toWire(templateSchema, {
    ...template,
    isFavourite,
    creator: creator && {
      id: creator.id,
      name: creator.name,
      image: keepWebUrl(creator.image),
      is_admin: creator.isAdmin,
    },
  })
}
