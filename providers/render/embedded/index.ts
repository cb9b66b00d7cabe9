import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { RenderJob } from '../../../domain/renders.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import type { RenderPort } from '../index.ts'
import { createRenderPool, type RenderPoolOptions } from './pool.ts'

export type EmbeddedRender = RenderPort & {
  /** Deletes jobs that ended before this time, with their files. Returns the number of files. */
  sweep(before: Date): Promise<number>
  /** Stops the renders of this process. Other processes can claim the jobs. */
  close(): Promise<void>
}

/**
 * Creates the embedded renderer, which composes music and draws clips on this machine. Jobs are rows and files are objects of
 * the store, so all processes can access them. Each submit or status request starts waiting jobs; there is no timer.
 */
export function createEmbeddedRender(options: RenderPoolOptions): EmbeddedRender {
  const { jobs, store } = options
  const pool = createRenderPool(options)

  const read = async (requestId: string): Promise<RenderJob> => {
    const job = await jobs.find(requestId)
    if (job === undefined) throw new ProviderError('not_found', 'embedded renderer: the job does not exist')
    return job
  }

  return {
    submit: async (request, { key, accountId }) => {
      for (const url of request.kind === 'video' ? [request.imageUrl, request.audioUrl] : [])
        if (store.parseKey(url) === undefined)
          throw new ProviderError('invalid', 'embedded renderer: the image and the song must be in the media store')
      const hash = createHash('sha256').update(key).digest('hex')
      const id = `render-${hash.slice(0, 32)}`
      // The seed is stored with the job, so that every attempt gives the same result.
      const seed = request.kind === 'music' && { seed: request.seed ?? Number.parseInt(hash.slice(25, 32), 16) }
      const seededRequest = { ...request, ...seed }
      if (!isDeepStrictEqual(await jobs.insert(id, seededRequest, accountId), seededRequest))
        throw new ProviderError('invalid', 'embedded renderer: the key was used for another job')
      pool.startWaiting()
      return { requestId: id }
    },
    status: async (requestId) => {
      const { state, logs } = await read(requestId)
      if (state === 'queued' || state === 'running') pool.startWaiting()
      return { state, logs }
    },
    result: async (requestId) => {
      const { file, request } = await read(requestId)
      if (file === null) throw new ProviderError('not_found', 'embedded renderer: the job has no result')
      const { key, contentType, bytes, durationSeconds } = file
      const seed = request.kind === 'music' ? (request.seed ?? null) : null
      return { url: await store.publicUrl(key), contentType, bytes, durationSeconds, seed }
    },
    cancel: async (requestId) => {
      await jobs.cancel(requestId)
      pool.stop(requestId)
    },
    sweep: async (before) => {
      const keys = await jobs.deleteEnded(before)
      for (const key of keys) await store.delete(key)
      return keys.length
    },
    close: () => pool.close(),
  }
}
