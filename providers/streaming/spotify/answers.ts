import { z } from 'zod'
import type { PlatformTrack } from '../../../domain/catalogs/platform-tracks.ts'
import { storableText } from '../../../domain/fields/storable.ts'
import { streamingId } from '../../../domain/streaming-ids.ts'
import { recordList } from '../../records.ts'
import type { FoundArtist, Release, StreamingAlbum, StreamingArtist } from '../index.ts'

// Optional fields may be missing, because apps in development mode receive no followers, groups and markets.

const text = z.string().transform(storableText)
const count = z.number().int().min(0)
const images = recordList('Spotify images', z.object({ url: text })).nullish()

const artist = z.object({
  name: text,
  images,
  followers: z.object({ total: count.nullish() }).nullish(),
  external_urls: z.object({ spotify: text }),
})

export const artistResponse = artist.transform(toArtist)

export const artistSearchResponse = z
  .object({
    artists: z.object({
      items: recordList(
        'Spotify artists',
        artist
          .extend({ id: streamingId })
          .transform(({ id, ...result }): FoundArtist => ({ artistId: id, ...toArtist(result) })),
      ),
    }),
  })
  .transform(({ artists }) => artists.items)

const release = z
  .object({
    id: streamingId,
    name: text,
    album_group: z.string().nullish(),
    album_type: z.string(),
    release_date: text.nullish(),
    total_tracks: count.nullish(),
  })
  .transform((value): Release => ({
    albumId: value.id,
    name: value.name,
    type: (value.album_group ?? value.album_type) === 'single' ? 'single' : 'album',
    releaseDate: value.release_date ?? null,
    trackCount: value.total_tracks ?? null,
  }))

/** `limit`: maximum size of the page, which may be less than requested. `total`: number of items of all pages. */
export const releasesResponse = z.object({
  items: recordList('Spotify releases', release),
  limit: z.number().int().min(1),
  total: count.nullish(),
  next: z.string().nullish(),
})

export const albumResponse = z
  .object({ id: streamingId, name: text, release_date: text.nullish() })
  .transform(({ id, name, release_date: date }): StreamingAlbum => ({ albumId: id, name, releaseDate: date ?? null }))

/** Albums in the order of the requested ids. Null for an unknown id. */
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

/** Tracks in the order of the requested ids. Null for an unknown id. */
export const tracksResponse = z
  .object({ tracks: recordList('Spotify tracks', trackResponse.nullable()) })
  .transform(({ tracks }) => tracks)

export const searchResponse = z
  .object({ tracks: z.object({ items: recordList('Spotify search', trackResponse) }) })
  .transform(({ tracks }) => tracks.items)

function toArtist({ name, images, followers, external_urls: urls }: z.output<typeof artist>): StreamingArtist {
  return { name, imageUrl: firstUrl(images), followers: followers?.total ?? null, profileUrl: urls.spotify }
}

/** Returns the first image, which is the widest. */
function firstUrl(value: z.output<typeof images>): string | null {
  return value?.[0]?.url ?? null
}
