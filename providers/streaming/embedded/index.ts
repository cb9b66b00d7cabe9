import { streamingProfile } from '../../../domain/artists/profiles.ts'
import { runUntilDeadline, type ProviderCall } from '../../call.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import { maxFoundArtists, type StreamingArtist, type StreamingPort } from '../index.ts'
import { parseAlbumArtist, createRelease, createReleases, createTrackByIsrc, createTrack } from './discography.ts'
import { draw } from './draws.ts'
import { artistName, listNamedArtists } from './names.ts'
import { findBehavior, busySeconds } from './reserved.ts'

const pageSize = 50

/** Maximum length of an artist id, which leaves room for release and track numbers. */
const maxIdLength = 58

/** Creates the embedded streaming platform. Its data is derived from ids and never changes. */
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
        await simulateBehavior(artistId)
        const releases = createReleases(artistId).filter(({ type }) => groups.includes(type))
        const from = Number(cursor ?? 0)
        const next = from + pageSize
        return { items: releases.slice(from, next), next: next < releases.length ? String(next) : null }
      }),
    getArtist: (artistId, call) =>
      runUntilDeadline(call, async () => {
        await simulateBehavior(artistId)
        return createArtist(artistId)
      }),
    searchArtists: (name, call) =>
      runUntilDeadline(call, async () => {
        const behavior = findBehavior(name)
        if (behavior !== 'unknown') await simulate(behavior)
        return findByName(name).map((artistId) => ({ artistId, ...createArtist(artistId) }))
      }),
    getAlbums: (albumIds, call) =>
      runUntilDeadline(call, async () => {
        const ids = await filterKnown(albumIds, parseAlbumArtist)
        return ids.map(createRelease).map(({ albumId, name, releaseDate }) => ({ albumId, name, releaseDate }))
      }),
    getTracks: (trackIds, call) =>
      runUntilDeadline(call, async () => {
        const ids = await filterKnown(trackIds, (id) => createTrack(id)?.artists[0]?.id)
        return ids.flatMap((id) => createTrack(id) ?? [])
      }),
    findByIsrc: (isrc: string, call: ProviderCall) => runUntilDeadline(call, async () => createTrackByIsrc(isrc)),
  }
}

/** Returns the ids of artists whose names contain all words of the text. */
function findByName(text: string): string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return [...listNamedArtists()]
    .filter(([name]) => words.every((word) => name.toLowerCase().includes(word)))
    .slice(0, maxFoundArtists)
    .map(([, artistId]) => artistId)
}

function drawImageUrl(artistId: string): string | null {
  return draw(`has an image ${artistId}`, 8) === 0
    ? null
    : `https://i.scdn.co/image/${draw(`image ${artistId}`, 2 ** 47).toString(16)}`
}

/** Simulates the behavior of a reserved artist. Does nothing for other artists. */
function simulateBehavior(artistId: string): Promise<void> {
  return simulate(artistId.length > maxIdLength ? 'unknown' : findBehavior(artistId))
}

async function simulate(behavior: ReturnType<typeof findBehavior>): Promise<void> {
  switch (behavior) {
    case 'unknown':
      throw new ProviderError('not_found', 'the artist does not exist on the embedded platform')
    case 'failing':
      throw new ProviderError('unavailable', 'the embedded platform fails for this artist')
    case 'busy':
      throw new ProviderError('rate_limited', 'the embedded platform is busy', { retryAfterSeconds: busySeconds })
    case 'garbage':
      throw new ProviderError('unavailable', 'the embedded platform returned an unreadable response')
    case 'hanging':
      return new Promise(() => {})
    case undefined:
      return
  }
}

/** Returns the ids that exist. Simulates the behavior of the reserved artists of these albums or tracks. */
async function filterKnown(
  ids: readonly string[],
  parseArtistId: (id: string) => string | undefined,
): Promise<string[]> {
  const knownIds = ids.filter((id) => isKnown(findBehavior(parseArtistId(id) ?? '')))
  await simulateAll(knownIds.flatMap((id) => parseArtistId(id) ?? []))
  return knownIds
}

function isKnown(behavior: string | undefined): boolean {
  return behavior !== 'unknown'
}

async function simulateAll(artistIds: Iterable<string>): Promise<void> {
  for (const artistId of new Set(artistIds)) await simulateBehavior(artistId)
}
