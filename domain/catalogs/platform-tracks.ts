/** A track as the streaming platform describes it. `isrc` is unnormalized and may be invalid. */
export type PlatformTrack = {
  trackId: string
  isrc: string | null
  name: string
  albumId: string
  album: string
  artworkUrl: string | null
  artists: { id: string; name: string }[]
}
