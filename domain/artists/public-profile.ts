import { z } from 'zod'
import { keepWebUrl } from '../fields/stored-url.ts'
import { catalogAge } from '../valuation/age.ts'
import { valuationBand } from '../valuation/band.ts'
import { songPagination } from '../catalogs/songs.ts'
import type { SharedArtist } from './artists.ts'
import { profileTokens } from './profile-paths.ts'
import type { Social } from './socials.ts'
import { successOf } from '../fields/fields.ts'
import { toWire } from '../wire.ts'

/** A song of the artist in a catalog, with the platform's data. `plays` is the latest count, or null. */
export type ArtistSong = {
  catalogId: string
  catalogName: string
  /** A day such as `2016-07-01`; null when unknown. */
  earliestRelease: string | null
  isrc: string
  name: string | null
  album: string | null
  artworkUrl: string | null
  plays: number | null
}

const songSchema = z.object({
  isrc: z.string(),
  name: z.string().nullable(),
  album: z.string().nullable(),
  artwork_url: z.string().nullable(),
  plays: z.int().nullable(),
  estimate: z.number().nullable().meta({
    description: 'Mid value of the song in USD, as it contributes to the valuation of the catalog; null without plays.',
  }),
})

export const artistProfileResponse = successOf({
  profile: z
    .object({
      id: z.guid(),
      name: z.string().nullable(),
      image: z.string().nullable(),
      followers: z.int().nullable().meta({ description: 'Followers on the streaming platform.' }),
      links: z.array(z.object({ type: z.enum(profileTokens), url: z.string() })),
      catalogs: z.array(z.object({ id: z.guid(), name: z.string(), songs: z.array(songSchema) })),
    })
    .meta({ id: 'ArtistProfile' }),
  pagination: songPagination,
})

type Profile = z.output<typeof artistProfileResponse>['profile']

/** Returns the public data of an artist and its songs by catalog, in the order of `songs`. */
export function toArtistProfileResponse(
  artist: Pick<SharedArtist, 'id' | 'name' | 'image'>,
  socials: readonly Social[],
  songs: readonly ArtistSong[],
  now: Date,
): Profile {
  const catalogs = new Map<string, Profile['catalogs'][number]>()
  for (const song of songs) {
    const catalog = catalogs.get(song.catalogId) ?? { id: song.catalogId, name: song.catalogName, songs: [] }
    catalog.songs.push(toSongResponse(song, now))
    catalogs.set(song.catalogId, catalog)
  }
  return {
    id: artist.id,
    name: artist.name,
    image: keepWebUrl(artist.image),
    followers: socials.find(({ type }) => type === 'STREAMING')?.followerCount ?? null,
    links: socials.map(({ type, profileUrl }) => ({ type, url: profileUrl })),
    catalogs: [...catalogs.values()],
  }
}

function toSongResponse(song: ArtistSong, now: Date): z.output<typeof songSchema> {
  const { plays, artworkUrl, earliestRelease } = song
  return toWire(songSchema, {
    ...song,
    artworkUrl: keepWebUrl(artworkUrl),
    estimate: plays === null ? null : Number(valuationBand(BigInt(plays), catalogAge(earliestRelease, now).years).mid),
  })
}
