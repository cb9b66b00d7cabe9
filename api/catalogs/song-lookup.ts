import { listUnknownSongs } from '../../db/catalogs/platform-songs.ts'
import { toFoundSongs, type FoundSong } from '../../domain/measurements/capture.ts'
import type { ApiDeps } from '../deps.ts'

/** Time limit for all look-ups of a request together, in milliseconds. */
export const lookupMs = 15_000

const parallelLookups = 8

/**
 * Reads the data of songs that have none from the streaming platform. Leaves out a song whose look-up fails or takes too
 * long; the next request that contains the song looks it up again.
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
        found.push(...toFoundSongs(track === null ? [] : [track]))
      } catch (error) {
        log.warn({ err: error, isrc }, 'failed to read a song from the streaming platform')
      }
  }
  await Promise.all(Array.from({ length: parallelLookups }, lookUpWaiting))
  return found
}
