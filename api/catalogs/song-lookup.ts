import { listUnknownSongs } from '../../db/catalogs/platform-songs.ts'
import { foundSongs, type FoundSong } from '../../domain/measurements/capture.ts'
import type { ApiDeps } from '../deps.ts'

/** Time limit in milliseconds for all look-ups of a request together. */
export const lookupMs = 15_000

const parallelLookups = 8

/**
 * Returns the streaming platform's data of the songs that have none. A song whose look-up fails or is too late is left
 * out, and looked up again by the next request that contains it.
 */
export async function lookUpSongs(
  { db, streaming, log }: Pick<ApiDeps, 'db' | 'streaming' | 'log'>,
  isrcs: readonly string[],
  request: { requestId: string; signal: AbortSignal },
): Promise<FoundSong[]> {
  const call = { deadline: new Date(Date.now() + lookupMs), ...request }
  const waiting = await listUnknownSongs(db, isrcs)
  const found: FoundSong[] = []
  const lookUpWaiting = async (): Promise<void> => {
    for (let isrc = waiting.pop(); isrc !== undefined; isrc = waiting.pop())
      try {
        const track = await streaming.findByIsrc(isrc, call)
        found.push(...foundSongs(track === null ? [] : [track]))
      } catch (error) {
        log.warn({ err: error, isrc }, 'the streaming platform did not name a song')
      }
  }
  await Promise.all(Array.from({ length: parallelLookups }, lookUpWaiting))
  return found
}
