import type { PlatformTrack } from '../../../domain/catalogs/platform-tracks.ts'
import type { Release } from '../index.ts'
import { draw, drawCode } from './draws.ts'
import { albumName, artistName, songName } from './names.ts'
import { parseReleaseCount } from './reserved.ts'

// Ids contain all data. Album: `a` + release number + artist. Track: `t` + release number + track number + artist. Single of
// a recording: `c` + ISRC, with the track `r` + ISRC.
type AlbumKey = { artistId: string; release: number } | { isrc: string }
type TrackKey = { artistId: string; release: number; track: number } | { isrc: string }

/** Returns the artist of an album; undefined for the single of an ISRC. */
export function parseAlbumArtist(albumId: string): string | undefined {
  const key = parseAlbumId(albumId)
  return 'artistId' in key ? key.artistId : undefined
}

export function createRelease(albumId: string): Release {
  const key = parseAlbumId(albumId)
  if ('isrc' in key)
    return {
      albumId,
      name: songName(key.isrc),
      type: 'single',
      releaseDate: drawReleaseDate(albumId),
      trackCount: 1,
    }
  return {
    albumId,
    name: albumName(albumId),
    type: isSingle(key.artistId, key.release) ? 'single' : 'album',
    releaseDate: drawReleaseDate(albumId),
    trackCount: drawTrackCount(key.artistId, key.release),
  }
}

export function createReleases(artistId: string): Release[] {
  return Array.from({ length: countReleases(artistId) }, (_, index) => createRelease(buildAlbumId(artistId, index + 1)))
}

/** Generates a track; undefined if the id is not a track id. */
export function createTrack(trackId: string): PlatformTrack | undefined {
  const key = parseTrackId(trackId)
  if (key === undefined) return undefined
  if ('isrc' in key) return buildIsrcTrack(key.isrc)
  const { artistId, release, track } = key
  if (track < 1 || track > drawTrackCount(artistId, release)) return undefined
  const albumId = buildAlbumId(artistId, release)
  const recording = buildRecordingId(artistId, release, track)
  const isrc = drawIsrc(recording)
  return {
    trackId,
    isrc,
    name: songName(isrc === null ? recording : normalizeIsrc(isrc)),
    albumId,
    album: albumName(albumId),
    artworkUrl: buildArtworkUrl(albumId),
    artists: drawArtists(artistId, recording),
  }
}

export function createTracks(albumId: string): PlatformTrack[] {
  const key = parseAlbumId(albumId)
  if ('isrc' in key) return [buildIsrcTrack(key.isrc)]
  const { artistId, release } = key
  return Array.from(
    { length: drawTrackCount(artistId, release) },
    (_, index) => createTrack(buildTrackId(artistId, release, index + 1)) ?? [],
  ).flat()
}

/** Generates the track of an ISRC; null for codes that start with ZZ, which simulate unknown recordings. */
export function createTrackByIsrc(isrc: string): PlatformTrack | null {
  return isrc.startsWith('ZZ') ? null : buildIsrcTrack(isrc)
}

/** Parses an album id. Any other id is treated as an album of the artist with this id, so that Spotify's ids return data. */
function parseAlbumId(albumId: string): AlbumKey {
  const [, isrc] = /^c([A-Z]{2}[A-Z0-9]{10})$/.exec(albumId) ?? []
  if (isrc !== undefined) return { isrc }
  const [, release, artistId] = /^a(\d{3})(.+)$/.exec(albumId) ?? []
  return artistId === undefined ? { artistId: albumId, release: 0 } : { artistId, release: Number(release) }
}

/** Draws a date with the precision of real platforms: some have only a year, some have no date. */
function drawReleaseDate(albumId: string): string | null {
  const year = String(1998 + draw(`year ${albumId}`, 28))
  const month = `${year}-${padDigits(1 + draw(`month ${albumId}`, 12), 2)}`
  const precision = draw(`precision ${albumId}`, 10)
  if (precision === 0) return null
  if (precision === 1) return '0000'
  if (precision < 4) return year
  return precision < 6 ? month : `${month}-${padDigits(1 + draw(`day ${albumId}`, 28), 2)}`
}

function padDigits(number: number, length: number): string {
  return String(number).padStart(length, '0')
}

function isSingle(artistId: string, release: number): boolean {
  return parseReleaseCount(artistId) === undefined && release > 0 && positionInGroup(release) > 0
}

/** Returns the position of a release in its group of three. The first is an album, and the other two are its singles. */
function positionInGroup(release: number): number {
  return (release + 2) % 3
}

function drawTrackCount(artistId: string, release: number): number {
  if (parseReleaseCount(artistId) !== undefined) return 10
  const id = buildAlbumId(artistId, release)
  return isSingle(artistId, release) ? 1 + draw(`tracks ${id}`, 3) : 8 + draw(`tracks ${id}`, 6)
}

function buildAlbumId(artistId: string, release: number): string {
  return `a${padDigits(release, 3)}${artistId}`
}

/** Returns the number of releases of an artist. A reserved artist may have none. */
function countReleases(artistId: string): number {
  return parseReleaseCount(artistId) ?? 3 + draw(`releases ${artistId}`, 22)
}

function parseTrackId(trackId: string): TrackKey | undefined {
  const [, isrc] = /^r([A-Z]{2}[A-Z0-9]{10})$/.exec(trackId) ?? []
  if (isrc !== undefined) return { isrc }
  const [, release, track, artistId] = /^t(\d{3})(\d{2})(.+)$/.exec(trackId) ?? []
  return artistId === undefined ? undefined : { artistId, release: Number(release), track: Number(track) }
}

function buildIsrcTrack(isrc: string): PlatformTrack {
  return {
    trackId: `r${isrc}`,
    isrc,
    name: songName(isrc),
    albumId: `c${isrc}`,
    album: songName(isrc),
    artworkUrl: buildArtworkUrl(`c${isrc}`),
    // An ISRC does not contain the artist.
    artists: [],
  }
}

function buildArtworkUrl(albumId: string): string {
  return `https://i.scdn.co/image/${draw(`image ${albumId}`, 2 ** 47).toString(16)}`
}

/** Returns the id of a recording. The first track of a single is a recording of its album. */
function buildRecordingId(artistId: string, release: number, track: number): string {
  return isSingle(artistId, release) && track === 1
    ? `${artistId} ${release - positionInGroup(release)} ${positionInGroup(release) + 1}`
    : `${artistId} ${release} ${track}`
}

/** Draws an ISRC. One recording in thirteen has none, and one code in nine has the notation with hyphens. */
function drawIsrc(recording: string): string | null {
  if (draw(`has a code ${recording}`, 13) === 0) return null
  const code = `QZ${drawCode(recording)}`
  if (draw(`spelling ${recording}`, 9) > 0) return code
  return [code.slice(0, 2), code.slice(2, 5), code.slice(5, 7), code.slice(7)].join('-').toLowerCase()
}

function normalizeIsrc(isrc: string): string {
  return isrc.replaceAll('-', '').toUpperCase()
}

/** Draws the artists of a recording. One recording in five has a guest artist. */
function drawArtists(artistId: string, recording: string): PlatformTrack['artists'] {
  const guest = `guest${draw(`guest ${recording}`, 50)}`
  const ids = draw(`is alone ${recording}`, 5) === 0 ? [artistId, guest] : [artistId]
  return ids.map((id) => ({ id, name: artistName(id) }))
}

function buildTrackId(artistId: string, release: number, track: number): string {
  return `t${padDigits(release, 3)}${padDigits(track, 2)}${artistId}`
}
