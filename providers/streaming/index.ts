import type { PlatformTrack } from '../../domain/catalogs/platform-tracks.ts'
import type { ProviderCall } from '../call.ts'

/** Artist of the streaming platform. `followers` is null if the platform does not publish it. */
export type StreamingArtist = {
  name: string
  imageUrl: string | null
  followers: number | null
  /** URL of the artist's page on the platform. */
  profileUrl: string
}

/** Search result: an artist with its id on the platform. */
export type FoundArtist = StreamingArtist & { artistId: string }

export type ReleaseGroup = 'album' | 'single'

/** `releaseDate` is a year, a month or a day, depending on the precision of the platform. */
export type Release = {
  albumId: string
  name: string
  type: ReleaseGroup
  releaseDate: string | null
  trackCount: number | null
}

export type StreamingAlbum = Pick<Release, 'albumId' | 'name' | 'releaseDate'>

/** Maximum number of artists in a search result. */
export const maxFoundArtists = 10
export const maxConcurrentAlbums = 20
export const maxConcurrentTracks = 50

/**
 * Reads the streaming platform. All operations are reads and safe to repeat. All throw `ProviderError`:
 * `rate_limited` (with `retryAfterSeconds` if the platform reports it), `timeout`, `unavailable`, `unauthorized`.
 */
export type StreamingPort = {
  /** Reads a page of the artist's releases; `next` is the cursor of the next page. Throws `not_found` for an unknown artist. */
  listReleases(
    releases: { artistId: string; groups: readonly ReleaseGroup[]; cursor: string | null },
    call: ProviderCall,
  ): Promise<{ items: Release[]; next: string | null }>
  /** Reads an artist. Throws `not_found` for an unknown artist. */
  getArtist(artistId: string, call: ProviderCall): Promise<StreamingArtist>
  /** Finds at most `maxFoundArtists` artists by name, the best match first. */
  searchArtists(name: string, call: ProviderCall): Promise<FoundArtist[]>
  /** Reads at most 20 albums, in the order of their ids. Unknown ids are omitted. */
  getAlbums(albumIds: readonly string[], call: ProviderCall): Promise<StreamingAlbum[]>
  /** Reads at most 50 tracks, in the order of their ids. Unknown ids are omitted. */
  getTracks(trackIds: readonly string[], call: ProviderCall): Promise<PlatformTrack[]>
  /** Finds a track by its normalized ISRC; null if the platform has none. */
  findByIsrc(isrc: string, call: ProviderCall): Promise<PlatformTrack | null>
}
