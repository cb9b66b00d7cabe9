import { z } from 'zod'
import { optionalQueryInteger, queryInteger, text, uuid } from '../fields/fields.ts'
import { nextOffsetField } from '../fields/pages.ts'

/** Data of a song: from the platform for all accounts, or from an owner for one catalog. */
export type SongTexts = { name: string | null; album: string | null; lyrics: string | null }

/** `changedAt` is null if the artist's row was never changed. */
type SongArtist = { id: string; name: string | null; changedAt: Date | null }

export type CatalogSong = SongTexts & { catalogId: string; isrc: string; updatedAt: Date; artists: SongArtist[] }

/** Merges the texts of a song in a catalog: the platform's name and album and the catalog's lyrics take precedence. */
export function mergeSongTexts(platform: Readonly<SongTexts>, catalog: Readonly<SongTexts>): SongTexts {
  return {
    name: platform.name ?? catalog.name,
    album: platform.album ?? catalog.album,
    lyrics: catalog.lyrics ?? platform.lyrics,
  }
}

export const songQuery = z.object({
  catalog_id: uuid,
  artistName: text(1, 200).optional(),
  page: queryInteger(1, 1_000_000, 1),
  limit: queryInteger(1, 100, 20),
  offset: optionalQueryInteger(
    0,
    100_000_000,
    'Number of songs to skip, instead of `page`: the `next_offset` of a page that ended early.',
  ),
})

export const songSchema = z
  .object({
    catalog_id: z.guid(),
    isrc: z.string(),
    name: z.string().meta({ description: 'Empty when unknown, as are `album` and `lyrics`.' }),
    album: z.string(),
    lyrics: z.string(),
    updated_at: z.iso.datetime(),
    artists: z.array(
      z.object({
        id: z.guid(),
        name: z.string().nullable(),
        timestamp: z.int().nullable().meta({ description: "Epoch seconds of the last change of the artist's row." }),
      }),
    ),
  })
  .meta({ id: 'CatalogSong' })

export function toSongResponse(song: CatalogSong): z.output<typeof songSchema> {
  return {
    catalog_id: song.catalogId,
    isrc: song.isrc,
    name: song.name ?? '',
    album: song.album ?? '',
    lyrics: song.lyrics ?? '',
    updated_at: song.updatedAt.toISOString(),
    artists: song.artists.map(({ id, name, changedAt }) => ({
      id,
      name,
      timestamp: changedAt && Math.floor(changedAt.getTime() / 1000),
    })),
  }
}

export const songPagination = z.object({
  total_count: z.int(),
  page: z.int(),
  limit: z.int(),
  total_pages: z.int(),
  next_offset: nextOffsetField,
})

export const songPage = z.object({
  status: z.literal('success'),
  songs: z.array(songSchema),
  pagination: songPagination,
})
