import type { ScrapedAlbum } from '../../../domain/measurements/scraped-albums.ts'
import { parseAlbumArtist, createRelease, createTracks } from '../../streaming/embedded/discography.ts'
import { draw } from '../../streaming/embedded/draws.ts'
import { findBehavior } from '../../streaming/embedded/reserved.ts'

const dayMs = 86_400_000

/** Generates an album. The same id always gives the same album, except for play counts, which grow daily. */
export function generateAlbum(albumId: string, nowMs: number): ScrapedAlbum {
  const isGarbage = findBehavior(parseAlbumArtist(albumId) ?? '') === 'garbage'
  return {
    albumId,
    name: createRelease(albumId).name,
    tracks: createTracks(albumId).map(({ trackId, name }) => ({
      trackId,
      name,
      playCount: drawCount(trackId, isGarbage, nowMs),
      durationMs: 120_000 + draw(`duration ${trackId}`, 180_000),
    })),
  }
}

/** Draws a play count. One count in forty is missing. Counts of artists with the behavior `garbage` are invalid. */
function drawCount(trackId: string, isGarbage: boolean, nowMs: number): number | null {
  if (isGarbage) return -1
  if (draw(`shows a count ${trackId}`, 40) === 0) return null
  const perDay = draw(`plays ${trackId}`, 20_000)
  return draw(`count ${trackId}`, 40_000_000) + perDay * Math.floor(nowMs / dayMs - 20_000)
}
