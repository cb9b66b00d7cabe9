import { ApplicationFailure, Context } from '@temporalio/activity'
import { readGeneration } from '../../db/music/generations.ts'
import { isUsableLength } from '../../domain/music/charge.ts'
import { maxTrackBytes, sniffedBytes, sniffTrack, trackKey } from '../../domain/music/file.ts'
import type { Generation } from '../../domain/music/generation.ts'
import { quotaFault } from '../../domain/music/states.ts'
import { ProviderFault } from '../../providers/fault.ts'
import { isQuotaFull } from '../../providers/store/metered.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { peekBytes, isFileLost, readOutside } from '../runtime/outside-files.ts'
import type { MusicDeps } from './deps.ts'

/** `durationSeconds` is null when the renderer reports no usable length. */
export type StoredTrack = { key: string; durationSeconds: number | null }

export function createTrackActivities(deps: MusicDeps) {
  const { db, render, store, log } = deps
  const putTrack = async (
    { id, accountId }: Generation,
    content: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<string> => {
    const { head, whole } = await peekBytes(content, sniffedBytes)
    const format = sniffTrack(head)
    if (format === undefined) throw new ProviderFault('invalid', 'the result is neither MP3 nor WAV')
    const key = trackKey(id, format)
    const { contentType } = format
    await store.put(key, whole, { contentType, overwrite: true, maxBytes: maxTrackBytes, accountId, signal })
    return key
  }

  return {
    /** Streams the result to the store, overwriting the object of an earlier attempt. Safe to run again. */
    storeTrack: ({ runId }: { runId: string }): Promise<StoredTrack> =>
      withHeartbeat(async () => {
        const { cancellationSignal: signal } = Context.current()
        const generation = await readGeneration(db, runId)
        try {
          const { url, durationSeconds } = await render.result(generation.providerRequestId ?? '', { signal })
          const key = await readOutside(deps, url, signal, (content) => putTrack(generation, content, signal))
          return { key, durationSeconds: isUsableLength(durationSeconds) ? durationSeconds : null }
        } catch (error) {
          log.warn({ err: error, generationId: generation.id }, 'a track could not be stored')
          if (isQuotaFull(error))
            throw ApplicationFailure.create({ message: 'the quota is full', type: quotaFault, nonRetryable: true })
          throw isFileLost(error) ? ApplicationFailure.create({ message: 'not a track', nonRetryable: true }) : error
        }
      }),
  }
}
