/** A track as the streaming platform describes it. `isrc` is as the platform writes it, and may be none. */
export type PlatformTrack = {
  trackId: string
  isrc: string | null
  name: string
  albumId: string
  album: string
  artworkUrl: string | null
  artists: { id: string; name: string }[]
}
