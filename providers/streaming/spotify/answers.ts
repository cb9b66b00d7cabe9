import { z } from 'zod'
import type { PlatformTrack } from '../../../domain/catalogs/platform-tracks.ts'
import { storableText } from '../../../domain/fields/storable.ts'
import { streamingId } from '../../../domain/streaming-ids.ts'
import { recordList } from '../../records.ts'
import type { Release, StreamingAlbum, StreamingArtist } from '../index.ts'

// Applications in development mode get no followers, groups and markets: what is not needed may be missing.

const text = z.string().transform(storableText)
const count = z.number().int().min(0)
const images = recordList('Spotify images', z.object({ url: text })).nullish()

export const artistResponse = z
  .object({
    name: text,
    images,
    followers: z.object({ total: count.nullish() }).nullish(),
    external_urls: z.object({ spotify: text }),
  })
  .transform(({ name, images, followers, external_urls: urls }): StreamingArtist => ({
    name,
    imageUrl: firstUrl(images),
    followers: followers?.total ?? null,
    profileUrl: urls.spotify,
  }))

const release = z
  .object({
    id: streamingId,
    name: text,
    album_group: z.string().nullish(),
    album_type: z.string(),
    release_date: text.nullish(),
    total_tracks: count.nullish(),
  })
  .transform((given): Release => ({
    albumId: given.id,
    name: given.name,
    type: (given.album_group ?? given.album_type) === 'single' ? 'single' : 'album',
    releaseDate: given.release_date ?? null,
    trackCount: given.total_tracks ?? null,
  }))

/** `limit`: how many the page would have held, which may be less than the request named. `total`: over all pages. */
export const releasesResponse = z.object({
  items: recordList('Spotify releases', release),
  limit: z.number().int().min(1),
  total: count.nullish(),
  next: z.string().nullish(),
})

export const albumResponse = z
  .object({ id: streamingId, name: text, release_date: text.nullish() })
  .transform(({ id, name, release_date: date }): StreamingAlbum => ({ albumId: id, name, releaseDate: date ?? null }))

/** Null stands for an id that names nothing. */
export const albumsResponse = z
  .object({ albums: recordList('Spotify albums', albumResponse.nullable()) })
  .transform(({ albums }) => albums)

export const trackResponse = z
  .object({
    id: streamingId,
    name: text,
    external_ids: z.object({ isrc: text.nullish() }).nullish(),
    album: z.object({ id: streamingId, name: text, images }),
    artists: recordList('Spotify artists of a track', z.object({ id: streamingId, name: text })),
  })
  .transform(({ id, name, external_ids: codes, album, artists }): PlatformTrack => ({
    trackId: id,
    isrc: codes?.isrc ?? null,
    name,
    albumId: album.id,
    album: album.name,
    artworkUrl: firstUrl(album.images),
    artists,
  }))

/** Null stands for an id that names nothing. */
export const tracksResponse = z
  .object({ tracks: recordList('Spotify tracks', trackResponse.nullable()) })
  .transform(({ tracks }) => tracks)

export const searchResponse = z
  .object({ tracks: z.object({ items: recordList('Spotify search', trackResponse) }) })
  .transform(({ tracks }) => tracks.items)

/** Of several sizes the widest comes first. */
function firstUrl(given: z.output<typeof images>): string | null {
  return given?.[0]?.url ?? null
}
