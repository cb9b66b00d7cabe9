/** An album as a scraper saw it. A count that is no number is null. */
export type ScrapedAlbum = { albumId: string; name: string | null; tracks: ScrapedTrack[] }

type ScrapedTrack = {
  trackId: string
  name: string | null
  playCount: number | null
  durationMs: number | null
}
