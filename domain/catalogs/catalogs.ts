import { z } from 'zod'
import { anyRequired, trimmedText, uuid, successOf } from '../fields/fields.ts'
import { toBandResponse, bandSchema, type Band } from '../valuation/band.ts'
import { keepWebUrl } from '../fields/stored-url.ts'
import { toWire } from '../wire.ts'

export type Catalog = { id: string; name: string; createdAt: Date; updatedAt: Date }

/** An account whose catalogs the reader can see. */
type CatalogOwner = { id: string; name: string | null; image: string | null; isOrganization: boolean }

export type CatalogItem = Catalog & {
  songCount: number
  measuredSongCount: number
  /** Null if no song is measured. */
  valuation: Band | null
  owner: CatalogOwner
}

const name = trimmedText(1, 200)

export const newCatalog = z
  .object({ name: name.optional(), snapshot: uuid.optional(), organization_id: uuid.optional() })
  .refine((sent) => sent.name !== undefined || sent.snapshot !== undefined, {
    error: 'Send name, snapshot or both',
    path: [],
  })
  .meta(anyRequired(['name', 'snapshot']))

export const catalogChanges = z.object({ name })

/** Returns the first non-empty name, or a default. */
export function catalogName(...names: readonly (string | null | undefined)[]): string {
  return names.map((each) => each?.trim() ?? '').find((each) => each !== '') ?? 'Untitled catalog'
}

export const catalogSchema = z
  .object({ id: z.guid(), name: z.string(), created_at: z.iso.datetime(), updated_at: z.iso.datetime() })
  .meta({ id: 'Catalog' })

export function toCatalogResponse(catalog: Catalog): z.output<typeof catalogSchema> {
  return toWire(catalogSchema, catalog)
}

export const catalogItemSchema = catalogSchema
  .extend({
    song_count: z.int(),
    measured_song_count: z.int(),
    valuation: bandSchema.nullable(),
    owner: z.object({
      id: z.guid(),
      name: z.string().nullable(),
      image: z.string().nullable(),
      is_organization: z.boolean(),
    }),
  })
  .meta({ id: 'CatalogItem' })

export function toCatalogItemResponse(item: CatalogItem): z.output<typeof catalogItemSchema> {
  const { id, name, image, isOrganization } = item.owner
  return toWire(catalogItemSchema, {
    ...item,
    valuation: item.valuation && toBandResponse(item.valuation),
    owner: { id, name, image: keepWebUrl(image), is_organization: isOrganization },
  })
}

export const catalogResponses = {
  list: successOf({
    catalogs: z.array(catalogItemSchema),
    pagination: z.object({ total_count: z.int(), limit: z.int(), offset: z.int() }),
  }),
  created: successOf({ catalog: catalogSchema, songs_added: z.int() }),
  changed: successOf({ catalog: catalogSchema }),
  deleted: successOf({ catalog_id: z.guid(), released_snapshot_ids: z.array(z.guid()) }),
}
