import type { PlatformTrack } from '../../../domain/catalogs/platform-tracks.ts'
import type { Release } from '../index.ts'
import { draw, drawCode } from './draws.ts'
import { albumName, artistName, songName } from './names.ts'
import { parseReleaseCount } from './reserved.ts'

// Ids contain all data: `a` + number of the release + artist is an album, `t` + number of the release + number of the track +
// artist is a track, `c` + recording code is the single that the code is found on, and `r` + code its track.
type AlbumPlace = { artistId: string; release: number } | { isrc: string }
type TrackPlace = { artistId: string; release: number; track: number } | { isrc: string }

/** Whose album it is; undefined for the single of a recording code. */
export function artistOfAlbum(albumId: string): string | undefined {
  const place = placeOfAlbum(albumId)
  return 'artistId' in place ? place.artistId : undefined
}

export function createRelease(albumId: string): Release {
  const place = placeOfAlbum(albumId)
  if ('isrc' in place)
    return {
      albumId,
      name: songName(place.isrc),
      type: 'single',
      releaseDate: drawReleaseDate(albumId),
      trackCount: 1,
    }
  return {
    albumId,
    name: albumName(albumId),
    type: isSingle(place.artistId, place.release) ? 'single' : 'album',
    releaseDate: drawReleaseDate(albumId),
    trackCount: drawTrackCount(place.artistId, place.release),
  }
}

export function createReleases(artistId: string): Release[] {
  return Array.from({ length: countReleases(artistId) }, (_, index) => createRelease(buildAlbumId(artistId, index + 1)))
}

/** Generates a track; undefined if the id is not a track id. */
export function createTrack(trackId: string): PlatformTrack | undefined {
  const place = placeOfTrack(trackId)
  if (place === undefined) return undefined
  if ('isrc' in place) return trackOfCode(place.isrc)
  const { artistId, release, track } = place
  if (track < 1 || track > drawTrackCount(artistId, release)) return undefined
  const albumId = buildAlbumId(artistId, release)
  const recording = buildRecordingId(artistId, release, track)
  const isrc = drawIsrc(recording)
  return {
    trackId,
    isrc,
    name: songName(isrc === null ? recording : normal(isrc)),
    albumId,
    album: albumName(albumId),
    artworkUrl: buildArtworkUrl(albumId),
    artists: drawArtists(artistId, recording),
  }
}

export function createTracks(albumId: string): PlatformTrack[] {
  const place = placeOfAlbum(albumId)
  if ('isrc' in place) return [trackOfCode(place.isrc)]
  const { artistId, release } = place
  return Array.from(
    { length: drawTrackCount(artistId, release) },
    (_, index) => createTrack(buildTrackId(artistId, release, index + 1)) ?? [],
  ).flat()
}

/** Null for the codes that begin with ZZ: there is room for what no platform knows. */
export function trackByIsrc(isrc: string): PlatformTrack | null {
  return isrc.startsWith('ZZ') ? null : trackOfCode(isrc)
}

/** Any other id is also an album, of an artist with the same id, so that real ids return data. */
function placeOfAlbum(albumId: string): AlbumPlace {
  const [, isrc] = /^c([A-Z]{2}[A-Z0-9]{10})$/.exec(albumId) ?? []
  if (isrc !== undefined) return { isrc }
  const [, release, artistId] = /^a(\d{3})(.+)$/.exec(albumId) ?? []
  return artistId === undefined ? { artistId: albumId, release: 0 } : { artistId, release: Number(release) }
}

/** As precise as platforms know dates: some are only a year, some are none. */
function drawReleaseDate(albumId: string): string | null {
  const year = String(1998 + draw(`year ${albumId}`, 28))
  const month = `${year}-${digits(1 + draw(`month ${albumId}`, 12), 2)}`
  const precision = draw(`precision ${albumId}`, 10)
  if (precision === 0) return null
  if (precision === 1) return '0000'
  if (precision < 4) return year
  return precision < 6 ? month : `${month}-${digits(1 + draw(`day ${albumId}`, 28), 2)}`
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, '0')
}

function isSingle(artistId: string, release: number): boolean {
  return parseReleaseCount(artistId) === undefined && release > 0 && placeInThree(release) > 0
}

/** Of three releases the first is an album, and the others are singles from it. */
function placeInThree(release: number): number {
  return (release + 2) % 3
}

function drawTrackCount(artistId: string, release: number): number {
  if (parseReleaseCount(artistId) !== undefined) return 10
  const id = buildAlbumId(artistId, release)
  return isSingle(artistId, release) ? 1 + draw(`tracks ${id}`, 3) : 8 + draw(`tracks ${id}`, 6)
}

function buildAlbumId(artistId: string, release: number): string {
  return `a${digits(release, 3)}${artistId}`
}

/** How many releases an artist has; the list of a reserved one may be empty. */
function countReleases(artistId: string): number {
  return parseReleaseCount(artistId) ?? 3 + draw(`releases ${artistId}`, 22)
}

function placeOfTrack(trackId: string): TrackPlace | undefined {
  const [, isrc] = /^r([A-Z]{2}[A-Z0-9]{10})$/.exec(trackId) ?? []
  if (isrc !== undefined) return { isrc }
  const [, release, track, artistId] = /^t(\d{3})(\d{2})(.+)$/.exec(trackId) ?? []
  return artistId === undefined ? undefined : { artistId, release: Number(release), track: Number(track) }
}

function trackOfCode(isrc: string): PlatformTrack {
  return {
    trackId: `r${isrc}`,
    isrc,
    name: songName(isrc),
    albumId: `c${isrc}`,
    album: songName(isrc),
    artworkUrl: buildArtworkUrl(`c${isrc}`),
    // The code does not contain the artist.
    artists: [],
  }
}

function buildArtworkUrl(albumId: string): string {
  return `https://i.scdn.co/image/${draw(`image ${albumId}`, 2 ** 47).toString(16)}`
}

/** Id of a recording. The first track of a single is a recording of its album. */
function buildRecordingId(artistId: string, release: number, track: number): string {
  return isSingle(artistId, release) && track === 1
    ? `${artistId} ${release - placeInThree(release)} ${placeInThree(release) + 1}`
    : `${artistId} ${release} ${track}`
}

/** One in thirteen has no code, and one in nine is written in the other way that codes are. */
function drawIsrc(recording: string): string | null {
  if (draw(`has a code ${recording}`, 13) === 0) return null
  const code = `QZ${drawCode(recording)}`
  if (draw(`spelling ${recording}`, 9) > 0) return code
  return [code.slice(0, 2), code.slice(2, 5), code.slice(5, 7), code.slice(7)].join('-').toLowerCase()
}

function normal(isrc: string): string {
  return isrc.replaceAll('-', '').toUpperCase()
}

/** One recording in five has a guest artist. */
function drawArtists(artistId: string, recording: string): PlatformTrack['artists'] {
  const guest = `guest${draw(`guest ${recording}`, 50)}`
  const ids = draw(`is alone ${recording}`, 5) === 0 ? [artistId, guest] : [artistId]
  return ids.map((id) => ({ id, name: artistName(id) }))
}

function buildTrackId(artistId: string, release: number, track: number): string {
  return `t${digits(release, 3)}${digits(track, 2)}${artistId}`
}
