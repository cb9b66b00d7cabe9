import { ApplicationFailure, Context } from '@temporalio/activity'
import { readGeneration } from '../../db/music/generations.ts'
import { isUsableLength } from '../../domain/music/charge.ts'
import { maxTrackBytes, sniffedBytes, sniffTrack, trackKey } from '../../domain/music/file.ts'
import { EgressFailure } from '../../providers/egress/index.ts'
import { ProviderFault } from '../../providers/fault.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import type { MusicDeps } from './deps.ts'

/** `durationSeconds` is null where the renderer reports no usable length. */
export type StoredTrack = { key: string; durationSeconds: number | null }

export function createTrackActivities({ db, render, store, files, log }: MusicDeps) {
  /** The renderer's file while it comes: read from our own store where it is there, else fetched. */
  const readResult = async <T>(
    url: string,
    signal: AbortSignal,
    take: (content: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T> => {
    const key = store.keyOf(url)
    if (key === undefined) return files.read(url, take, signal)
    const found = await store.open(key)
    if (found === undefined) throw new ProviderFault('not_found', 'store: the result is gone')
    try {
      return await take(found.content as AsyncIterable<Uint8Array>)
    } finally {
      found.content.destroy()
    }
  }

  const putTrack = async (id: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> => {
    const { head, whole } = await beginOf(content)
    const format = sniffTrack(head)
    if (format === undefined) throw new ProviderFault('invalid', 'the result is neither MP3 nor WAV')
    const key = trackKey(id, format)
    await store.put(key, whole, { contentType: format.contentType, overwrite: true, maxBytes: maxTrackBytes, signal })
    return key
  }

  return {
    /** Streams the result to the store, over what an earlier attempt left there. Safe to run again. */
    storeTrack: ({ runId }: { runId: string }): Promise<StoredTrack> =>
      withHeartbeat(async () => {
        const { cancellationSignal: signal } = Context.current()
        const { id, providerRequestId } = await readGeneration(db, runId)
        try {
          const { url, durationSeconds } = await render.result(providerRequestId ?? '', { signal })
          const key = await readResult(url, signal, (content) => putTrack(id, content, signal))
          return { key, durationSeconds: isUsableLength(durationSeconds) ? durationSeconds : null }
        } catch (error) {
          log.warn({ err: error, generationId: id }, 'a track could not be stored')
          throw isFinal(error) ? ApplicationFailure.create({ message: 'not a track', nonRetryable: true }) : error
        }
      }),
  }
}

const neverMended: readonly unknown[] = ['url', 'secure', 'address'] satisfies EgressFailure['fault'][]

/** True for what no further attempt changes. */
function isFinal(error: unknown): boolean {
  if (error instanceof EgressFailure) return neverMended.includes(error.fault)
  return error instanceof ProviderFault && !error.isRetryable
}

/** The first bytes, and all of them. */
async function beginOf(content: AsyncIterable<Uint8Array>) {
  const chunks = content[Symbol.asyncIterator]()
  let head: Uint8Array = new Uint8Array()
  while (head.length < sniffedBytes) {
    const next = await chunks.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield head
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { head, whole: whole() }
}
