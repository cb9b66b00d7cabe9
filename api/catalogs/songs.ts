import {
  countSongs,
  listSongs,
  deleteCatalogSongs,
  insertCatalogSongs,
  listSongsById,
} from '../../db/catalogs/songs.ts'
import { toSongResponse, songPage, songQuery } from '../../domain/catalogs/songs.ts'
import { toNextOffset, numberedPage, toPage } from '../../domain/fields/pages.ts'
import { requireCatalog, requireCatalogs } from '../access/catalogs.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { route, success, mebibytes, type Route, type Caller } from '../http/route.ts'
import { ownership, routeDefaults, type CatalogDeps } from './route-defaults.ts'
import { profileHosts } from '../../config.ts'
import { ensureSongs, storePlatformSongs, listUnknownSongs } from '../../db/catalogs/platform-songs.ts'
import { linkArtistsByName } from '../../db/catalogs/artists-by-name.ts'
import { addedSongs, mergeAddedSongs, removedSongs, songChangeResponses } from '../../domain/catalogs/song-changes.ts'
import { recordAuditObject } from '../access/audit.ts'
import { toFoundSongs, type FoundSong } from '../../domain/measurements/capture.ts'

export function listSongsRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/catalogs/songs',
    summary: 'List the songs of a catalog',
    description:
      'Sorted by recording code, descending. artistName filters by the exact name of an artist, ignoring case. A catalog ' +
      'without songs gives 404.',
    ownership,
    query: songQuery,
    responses: { 200: songPage },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, query }) => {
      const { catalog_id: catalogId, artistName } = query
      const page = { ...toPage(query), ...(query.offset !== undefined && { offset: query.offset }) }
      await requireCatalog(deps, caller, caller.accountId, catalogId)
      const filter = { catalogIds: [catalogId], artistName }
      const [{ rows, nextOffset }, count] = await Promise.all([
        listSongs(deps.db, filter, page),
        countSongs(deps.db, filter),
      ])
      if (count.all === 0) throw new ApiError('not_found', 'Catalog has no songs')
      return success({
        songs: rows.map(toSongResponse),
        pagination: { ...numberedPage(count.matching, query), ...toNextOffset(nextOffset) },
      })
    },
  })
}

const songChangeDefaults = {
  ...routeDefaults,
  path: '/api/catalogs/songs',
  bodyLimit: mebibytes(1),
  ownership,
} as const

export function addSongsRoute(deps: CatalogDeps): Route {
  return route({
    ...songChangeDefaults,
    method: 'POST',
    summary: 'Add songs to catalogs by recording code',
    description:
      'Looks up unknown songs on the streaming platform. The name, album and artists of an entry apply only to its ' +
      'catalog, and only where the platform has none; lyrics replace those of the platform. Adding a song again replaces ' +
      'these values of the earlier request. If the caller may not change one of the catalogs, no song is added. Returns as ' +
      'many of the songs as fit into 4 MB.',
    waitMs: lookupTimeoutMs,
    idempotent: 'before-validation',
    example: {
      songs: [{ catalog_id: '3b9aa2c1-4d6e-4f80-9a1b-2c3d4e5f6a7b', isrc: 'GBAYE0601498', name: 'June demo' }],
    },
    body: addedSongs,
    responses: { 200: songChangeResponses.added },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, body, idempotency, requestId, closed }) => {
      await requireListedCatalogs(deps, caller, body.songs)
      const songs = mergeAddedSongs(body.songs)
      const isrcs = songs.map(({ isrc }) => isrc)
      const platformSongs = await lookUpSongs(deps, isrcs, { requestId, signal: closed })
      return deps.db.begin(async (tx) => {
        await ensureSongs(tx, isrcs)
        await storePlatformSongs(tx, platformSongs, profileHosts(deps.config))
        const count = await insertCatalogSongs(tx, songs)
        await linkArtistsByName(tx, songs)
        const storedSongs = await listSongsById(tx, songs)
        return idempotency.remember(tx, success({ songs: storedSongs.map(toSongResponse), songs_added: count }))
      })
    },
  })
}

const maxRemainingSongs = 100

export function removeSongsRoute(deps: CatalogDeps): Route {
  return route({
    ...songChangeDefaults,
    method: 'DELETE',
    summary: 'Remove songs from catalogs',
    description:
      'Ignores songs that are not in the catalog. Returns the first 100 songs that remain in the named catalogs. The data ' +
      'of the removed songs is kept.',
    example: { songs: [{ catalog_id: '3b9aa2c1-4d6e-4f80-9a1b-2c3d4e5f6a7b', isrc: 'GBAYE0601498' }] },
    body: removedSongs,
    responses: { 200: songChangeResponses.removed },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, body }) => {
      const catalogIds = await requireListedCatalogs(deps, caller, body.songs)
      const removed = await deps.db.begin((tx) => deleteCatalogSongs(tx, body.songs))
      const [{ rows, nextOffset }, count] = await Promise.all([
        listSongs(deps.db, { catalogIds }, { limit: maxRemainingSongs, offset: 0 }),
        countSongs(deps.db, { catalogIds }),
      ])
      return success({
        removed,
        songs: rows.map(toSongResponse),
        pagination: { ...numberedPage(count.all, { page: 1, limit: maxRemainingSongs }), ...toNextOffset(nextOffset) },
      })
    },
  })
}

async function requireListedCatalogs(
  deps: CatalogDeps,
  caller: Caller,
  songs: readonly { catalog_id: string }[],
): Promise<string[]> {
  const catalogIds = [...new Set(songs.map((song) => song.catalog_id))]
  recordAuditObject(caller, catalogIds.join(',').slice(0, 500))
  await requireCatalogs(deps, caller, caller.accountId, catalogIds)
  return catalogIds
}

/** Total time limit of the lookups of one request, in milliseconds. */
const lookupTimeoutMs = 15_000

const maxParallelLookups = 8

/**
 * Reads songs without stored data from the streaming platform. Omits a song whose lookup fails or takes too long; the next
 * request that contains the song looks it up again.
 */
async function lookUpSongs(
  { db, streaming, log }: Pick<CatalogDeps, 'db' | 'streaming' | 'log'>,
  isrcs: readonly string[],
  request: { requestId: string; signal: AbortSignal },
): Promise<FoundSong[]> {
  const call = { deadline: new Date(Date.now() + lookupTimeoutMs), ...request }
  const pending = await listUnknownSongs(db, isrcs)
  const songs: FoundSong[] = []
  const lookUpPending = async (): Promise<void> => {
    for (let isrc = pending.pop(); isrc !== undefined; isrc = pending.pop())
      try {
        const track = await streaming.findByIsrc(isrc, call)
        songs.push(...toFoundSongs(track === null ? [] : [track]))
      } catch (error) {
        log.warn({ err: error, isrc }, 'failed to read a song from the streaming platform')
      }
  }
  await Promise.all(Array.from({ length: maxParallelLookups }, lookUpPending))
  return songs
}
