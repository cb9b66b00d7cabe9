import { normalizeIsrc } from '../catalogs/isrc.ts'
import type { PlatformTrack } from '../catalogs/platform-tracks.ts'
import type { ScrapedAlbum } from './scraped-albums.ts'
import { maxPlayCount } from './streams.ts'

/** A track with a count that can be stored. */
export type CountedTrack = { trackId: string; albumId: string; playCount: number }

/** Song of the platform with its normalized ISRC. */
export type FoundSong = Omit<PlatformTrack, 'isrc'> & { isrc: string }

export type SongMeasurement = { isrc: string; playCount: number }

/** Returns each track of the albums once, in order, with its first valid count. */
export function countedTracks(albums: readonly ScrapedAlbum[]): CountedTrack[] {
  const tracks = new Map<string, CountedTrack>()
  for (const { albumId, tracks: scraped } of albums)
    for (const { trackId, playCount } of scraped)
      if (isStorable(playCount) && !tracks.has(trackId)) tracks.set(trackId, { trackId, albumId, playCount })
  return [...tracks.values()]
}

/** Returns the ids of the tracks without a stored identifier, whose songs must be read from the platform. */
export function listUnidentifiedTracks(
  tracks: readonly Pick<CountedTrack, 'trackId'>[],
  isrcs: ReadonlyMap<string, string>,
): string[] {
  return tracks.map(({ trackId }) => trackId).filter((trackId) => !isrcs.has(trackId))
}

/** Returns the tracks with a stored identifier, with the ISRCs of their songs. */
export function tracksWithSong(
  tracks: readonly CountedTrack[],
  isrcs: ReadonlyMap<string, string>,
): { isrc: string; trackId: string; albumId: string }[] {
  return tracks.flatMap(({ trackId, albumId }) => {
    const isrc = isrcs.get(trackId)
    return isrc === undefined ? [] : [{ isrc, trackId, albumId }]
  })
}

/** Returns the platform's tracks that have a valid ISRC, with the ISRC normalized. */
export function toFoundSongs(tracks: readonly PlatformTrack[]): FoundSong[] {
  return tracks.flatMap((track) => {
    const isrc = normalizeIsrc(track.isrc ?? '')
    return isrc === undefined ? [] : [{ ...track, isrc }]
  })
}

/**
 * Returns one measurement per song. Stored identifiers take precedence over those of the platform. If a recording has
 * several tracks, the first count is used. Tracks without a song are left out.
 */
export function songMeasurements(
  tracks: readonly CountedTrack[],
  isrcs: ReadonlyMap<string, string>,
  platformSongs: readonly FoundSong[],
): SongMeasurement[] {
  const platformIsrcs = new Map(platformSongs.map(({ trackId, isrc }) => [trackId, isrc]))
  const measurements = new Map<string, SongMeasurement>()
  for (const { trackId, playCount } of tracks) {
    const isrc = isrcs.get(trackId) ?? platformIsrcs.get(trackId)
    if (isrc !== undefined && !measurements.has(isrc)) measurements.set(isrc, { isrc, playCount })
  }
  return [...measurements.values()]
}

/** Splits a list into batches of at most `size` items. */
export function splitBatches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

function isStorable(count: number | null): count is number {
  return count !== null && Number.isInteger(count) && count >= 0 && count <= maxPlayCount
}
