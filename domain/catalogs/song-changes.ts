import { z } from 'zod'
import { text, trimmedText, uuid, successOf } from '../fields/fields.ts'
import { isrc } from './isrc.ts'
import { songPage, songSchema } from './songs.ts'

const maxSongs = 500

/** Songs to add to catalogs. All data except the ISRC applies only to the catalog of the entry. */
export const addedSongs = createSongList(
  z.object({
    catalog_id: uuid,
    isrc,
    name: text(0, 300).optional(),
    album: text(0, 300).optional(),
    lyrics: text(0, 20_000).optional(),
    artists: z
      .array(trimmedText(1, 200))
      .max(20)
      .optional()
      .meta({ description: 'Names of the artists, used if the platform has none for the song.' }),
  }),
)

export const removedSongs = createSongList(z.object({ catalog_id: uuid, isrc }))

export type AddedSong = z.output<typeof addedSongs>['songs'][number]

/**
 * Merges repeated entries of a song in a catalog: the last text of each kind, and all artist names in order, without
 * duplicates (case-insensitive).
 */
export function mergeAddedSongs(songs: readonly AddedSong[]): AddedSong[] {
  const merged = new Map<string, AddedSong>()
  for (const song of songs) {
    const key = `${song.catalog_id} ${song.isrc}`
    const previous = merged.get(key)
    const artists = distinctNames([...(previous?.artists ?? []), ...(song.artists ?? [])])
    merged.set(key, { ...previous, ...song, ...(artists.length > 0 && { artists }) })
  }
  return [...merged.values()]
}

export const songChangeResponses = {
  added: successOf({ songs: z.array(songSchema), songs_added: z.int() }),
  removed: songPage.extend({ removed: z.int() }),
}

function createSongList<Song extends z.ZodType>(song: Song) {
  return z.object({ songs: z.array(song).min(1).max(maxSongs) })
}

function distinctNames(names: readonly string[]): string[] {
  const lowerCaseNames = new Set<string>()
  return names.filter((name) => lowerCaseNames.size < lowerCaseNames.add(name.toLowerCase()).size)
}
