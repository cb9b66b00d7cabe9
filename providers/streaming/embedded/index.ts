import { streamingProfile } from '../../../domain/artists/profiles.ts'
import { runUntilDeadline, type ProviderCall } from '../../call.ts'
import { ProviderError } from '../../fault.ts'
import type { StreamingArtist, StreamingPort } from '../index.ts'
import { artistOfAlbum, createRelease, createReleases, trackByIsrc, createTrack } from './discography.ts'
import { draw } from './draws.ts'
import { artistName } from './names.ts'
import { findBehavior, busySeconds } from './reserved.ts'

const pageSize = 50

/** Longer ids leave no room for the numbers of releases and tracks. */
const maxIdLength = 58

/** Streaming platform inside this service. Its data is derived from the ids and never changes. */
export function createEmbeddedStreaming({ host }: { host: string }): StreamingPort {
  const createArtist = (artistId: string): StreamingArtist => ({
    name: artistName(artistId),
    imageUrl: drawImageUrl(artistId),
    followers: draw(`followers ${artistId}`, 5_000_000),
    profileUrl: `https://${streamingProfile(artistId, { streaming: host, liveEvents: '' }).url}`,
  })
  return {
    listReleases: ({ artistId, groups, cursor }, call) =>
      runUntilDeadline(call, async () => {
        await meet(artistId)
        const all = createReleases(artistId).filter(({ type }) => groups.includes(type))
        const from = Number(cursor ?? 0)
        const next = from + pageSize
        return { items: all.slice(from, next), next: next < all.length ? String(next) : null }
      }),
    getArtist: (artistId, call) =>
      runUntilDeadline(call, async () => {
        await meet(artistId)
        return createArtist(artistId)
      }),
    getAlbums: (albumIds, call) =>
      runUntilDeadline(call, async () => {
        const found = await known(albumIds, artistOfAlbum)
        return found.map(createRelease).map(({ albumId, name, releaseDate }) => ({ albumId, name, releaseDate }))
      }),
    getTracks: (trackIds, call) =>
      runUntilDeadline(call, async () => {
        const found = await known(trackIds, (id) => createTrack(id)?.artists[0]?.id)
        return found.flatMap((id) => createTrack(id) ?? [])
      }),
    findByIsrc: (isrc: string, call: ProviderCall) => runUntilDeadline(call, async () => trackByIsrc(isrc)),
  }
}

function drawImageUrl(artistId: string): string | null {
  return draw(`has an image ${artistId}`, 8) === 0
    ? null
    : `https://i.scdn.co/image/${draw(`image ${artistId}`, 2 ** 47).toString(16)}`
}

/** Does what the artist is reserved for; nothing for others. */
async function meet(artistId: string): Promise<void> {
  switch (artistId.length > maxIdLength ? 'unknown' : findBehavior(artistId)) {
    case 'unknown':
      throw new ProviderError('not_found', 'the embedded platform has no such artist')
    case 'failing':
      throw new ProviderError('unavailable', 'the embedded platform fails for this artist')
    case 'busy':
      throw new ProviderError('rate_limited', 'the embedded platform is busy', { retryAfterSeconds: busySeconds })
    case 'garbage':
      throw new ProviderError('unavailable', 'the embedded platform returned an unreadable answer')
    case 'hanging':
      return new Promise(() => {})
    case undefined:
      return
  }
}

/** Those of the ids that are known; an album or a track of a reserved artist does what the artist does. */
async function known(ids: readonly string[], parseArtistId: (id: string) => string | undefined): Promise<string[]> {
  const found = ids.filter((id) => isFound(findBehavior(parseArtistId(id) ?? '')))
  await meetAll(found.flatMap((id) => parseArtistId(id) ?? []))
  return found
}

function isFound(behaviour: string | undefined): boolean {
  return behaviour !== 'unknown'
}

async function meetAll(artistIds: Iterable<string>): Promise<void> {
  for (const artistId of new Set(artistIds)) await meet(artistId)
}
