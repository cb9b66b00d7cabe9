import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { RenderJob, RenderJobs, RenderRequest } from '../../../domain/renders.ts'
import { ProviderError } from '../../fault.ts'
import type { StorePort } from '../../store/index.ts'
import type { RenderPort } from '../index.ts'
import { createCrew, type CrewOptions } from './crew.ts'

export type EmbeddedRenderOptions = Omit<CrewOptions, 'jobs' | 'store'> & { jobs: RenderJobs; store: StorePort }

export type EmbeddedRender = RenderPort & {
  /** Deletes jobs that ended before this time, with their files; answers how many files. */
  sweep(before: Date): Promise<number>
  /** Ends what runs here; others take it over. */
  close(): Promise<void>
}

/**
 * Renders on this machine: composes music and draws clips. Jobs are rows and files are objects of the store, so any
 * process finds them. There is no timer: each submit or status request starts waiting jobs.
 */
export function createEmbeddedRender(options: EmbeddedRenderOptions): EmbeddedRender {
  const { jobs, store } = options
  const crew = createCrew(options)

  const read = async (requestId: string): Promise<RenderJob> => {
    const job = await jobs.find(requestId)
    if (job === undefined) throw new ProviderError('not_found', 'embedded renderer: no such job')
    return job
  }

  const requireOwn = (request: RenderRequest): void => {
    if (request.kind === 'music') return
    for (const url of [request.imageUrl, request.audioUrl])
      if (store.parseKey(url) === undefined)
        throw new ProviderError('invalid', 'embedded renderer: only files of our own store can be read')
  }

  return {
    submit: async (request, { key, accountId }) => {
      requireOwn(request)
      const id = toRenderId(key)
      const wanted = withSeed(request, id)
      if (!isDeepStrictEqual(await jobs.insert(id, wanted, accountId), wanted))
        throw new ProviderError('invalid', 'embedded renderer: this key was used for another job')
      crew.look()
      return { requestId: id }
    },
    status: async (requestId) => {
      const { state, logs } = await read(requestId)
      if (state === 'queued' || state === 'running') crew.look()
      return { state, logs }
    },
    result: async (requestId) => {
      const { file, request } = await read(requestId)
      if (file === null) throw new ProviderError('not_found', 'embedded renderer: this job has no result')
      const { key, contentType, bytes, durationSeconds } = file
      const seed = request.kind === 'music' ? (request.seed ?? null) : null
      return { url: await store.publicUrl(key), contentType, bytes, durationSeconds, seed }
    },
    cancel: async (requestId) => {
      await jobs.cancel(requestId)
      crew.stop(requestId)
    },
    sweep: async (before) => {
      const keys = await jobs.deleteEnded(before)
      for (const key of keys) await store.delete(key)
      return keys.length
    },
    close: () => crew.close(),
  }
}

function toRenderId(key: string): string {
  return `render-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`
}

/** Chosen once and kept with the job, so that every attempt renders the same. */
function withSeed(request: RenderRequest, id: string): RenderRequest {
  return request.kind === 'video' || request.seed !== undefined
    ? request
    : { ...request, seed: Number.parseInt(id.slice(-7), 16) }
}
