import { z } from 'zod'
import { optionalQueryInteger, text, uuid, successOf } from '../fields/fields.ts'
import { nextOffsetField, numberedQuery, numberedPagination } from '../fields/pages.ts'
import { toWire } from '../wire.ts'

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
  ...numberedQuery(20),
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
  return toWire(songSchema, {
    ...song,
    name: song.name ?? '',
    album: song.album ?? '',
    lyrics: song.lyrics ?? '',
    artists: song.artists.map(({ id, name, changedAt }) => ({
      id,
      name,
      timestamp: changedAt && Math.floor(changedAt.getTime() / 1000),
    })),
  })
}

export const songPagination = numberedPagination.extend({ next_offset: nextOffsetField })

export const songPage = successOf({ songs: z.array(songSchema), pagination: songPagination })
