import { listUnknownSongs } from '../../db/catalogs/platform-songs.ts'
import { toFoundSongs, type FoundSong } from '../../domain/measurements/capture.ts'
import type { CatalogDeps } from './route-defaults.ts'

/** Total time limit of the lookups of one request, in milliseconds. */
export const lookupTimeoutMs = 15_000

const maxParallelLookups = 8

/**
 * Reads songs without stored data from the streaming platform. Omits a song whose lookup fails or takes too long; the next
 * request that contains the song looks it up again.
 */
export async function lookUpSongs(
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
