import { z } from 'zod'
import { knowledgesResponse, toKnowledgesResponse, type Knowledge } from './knowledges.ts'
import { toAccountSocialResponse, accountSocialSchema, type Social } from './socials.ts'
import { keepWebUrl } from '../fields/stored-url.ts'
import { toWire } from '../wire.ts'

/** Texts of one workspace about an artist; null for a text that the workspace does not set. */
export type ArtistTexts = {
  name: string | null
  image: string | null
  instruction: string | null
  label: string | null
  knowledges: Knowledge[] | null
}

/** Public data of an artist. */
export type SharedArtist = {
  id: string
  name: string | null
  image: string | null
  createdAt: Date
  updatedAt: Date
}

export type ArtistRow = {
  shared: SharedArtist
  pinned: boolean
  /** Texts of the reader's workspaces, in order of precedence. */
  texts: ArtistTexts[]
  organizationIds: string[]
  socials: Social[]
}

/** Returns the first non-null text of each field; name and image fall back to the shared row. */
export function mergeTexts(
  texts: readonly Readonly<ArtistTexts>[],
  shared: Pick<SharedArtist, 'name' | 'image'>,
): Omit<ArtistTexts, 'knowledges'> & { knowledges: Knowledge[] } {
  const first = <F extends keyof ArtistTexts>(field: F): ArtistTexts[F] | null =>
    texts.find((text) => text[field] !== null)?.[field] ?? null
  return {
    name: first('name') ?? shared.name,
    image: first('image') ?? shared.image,
    instruction: first('instruction'),
    label: first('label'),
    knowledges: first('knowledges') ?? [],
  }
}

const nullableText = z.string().nullable()

export const artistSchema = z
  .object({
    id: z.guid(),
    account_id: z.guid(),
    name: nullableText,
    image: nullableText,
    instruction: nullableText,
    label: nullableText,
    knowledges: knowledgesResponse,
    pinned: z.boolean(),
    organization_ids: z.array(z.guid()),
    account_socials: z.array(accountSocialSchema),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Artist' })

export function toArtistResponse({ shared, texts, socials, ...row }: ArtistRow): z.output<typeof artistSchema> {
  const { name, image, instruction, label, knowledges } = mergeTexts(texts, shared)
  return toWire(artistSchema, {
    ...shared,
    ...row,
    accountId: shared.id,
    name,
    image: keepWebUrl(image),
    instruction,
    label,
    knowledges: toKnowledgesResponse(knowledges),
    accountSocials: socials.map(toAccountSocialResponse),
  })
}
