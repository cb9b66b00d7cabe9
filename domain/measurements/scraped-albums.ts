/** Album as read by a scraper. A play count that is not a number is null. */
export type ScrapedAlbum = { albumId: string; name: string | null; tracks: ScrapedTrack[] }

type ScrapedTrack = {
  trackId: string
  name: string | null
  playCount: number | null
  durationMs: number | null
}
