import type { PlatformTrack } from '../../domain/catalogs/platform-tracks.ts'
import type { ProviderCall } from '../call.ts'

/** An artist of the streaming platform. A number that the platform does not show is null. */
export type StreamingArtist = {
  name: string
  imageUrl: string | null
  followers: number | null
  /** Where people open the artist on the platform. */
  profileUrl: string
}

export type ReleaseGroup = 'album' | 'single'

/** `releaseDate` is a year, a month or a day, as precise as the platform knows it. */
export type Release = {
  albumId: string
  name: string
  type: ReleaseGroup
  releaseDate: string | null
  trackCount: number | null
}

export type StreamingAlbum = Pick<Release, 'albumId' | 'name' | 'releaseDate'>

export const maxAlbumsAtOnce = 20
export const maxTracksAtOnce = 50

/**
 * The platform that songs are streamed on. All operations are reads and safe to repeat. Each throws `ProviderFault`:
 * `rate_limited` (with `retryAfterSeconds` where the platform says it), `timeout`, `unavailable`, `unauthorized`.
 */
export type StreamingPort = {
  /** A page of what the artist has released; `next` is the cursor of the one behind it. `not_found` for no artist. */
  listReleases(
    releases: { artistId: string; groups: readonly ReleaseGroup[]; cursor: string | null },
    call: ProviderCall,
  ): Promise<{ items: Release[]; next: string | null }>
  /** `not_found` for no artist. */
  getArtist(artistId: string, call: ProviderCall): Promise<StreamingArtist>
  /** Of at most 20 ids, in their order; what is no album is left out. */
  getAlbums(albumIds: readonly string[], call: ProviderCall): Promise<StreamingAlbum[]>
  /** Of at most 50 ids, in their order; what is no track is left out. */
  getTracks(trackIds: readonly string[], call: ProviderCall): Promise<PlatformTrack[]>
  /** A track with this recording code in its normal form; null when the platform has none. */
  findByIsrc(isrc: string, call: ProviderCall): Promise<PlatformTrack | null>
}
