import { constants, createWriteStream } from 'node:fs'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ClaimedRender, RenderChange, RenderJobs } from '../../../domain/renders.ts'
import { maxSlotsPerAccount } from '../../../domain/runs/slots.ts'
import type { Confinement } from '../../sandbox/confined/index.ts'
import { guessContentType, type StorePort } from '../../store/index.ts'
import { runRender, type RenderedMedia, type RenderLimits } from './child.ts'
import { RenderRefusedError } from './refusal.ts'

export type RenderPoolOptions = {
  jobs: RenderJobs
  store: StorePort
  /** Folder for unfinished files. */
  folder: string
  /** Returns the absolute path of ffmpeg. */
  findFfmpeg: () => Promise<string | undefined>
  confinement: Confinement
  /** Maximum number of concurrent renders in this process. */
  maxRenders: number
  limits?: Partial<RenderLimits>
  /** Interval at which a process checks whether its renders are cancelled or claimed by another process. */
  watchIntervalMs?: number
  /** Called for each job that logs a message or may have ended. */
  onChanged?: (id: string) => Promise<void>
  /** Size of clips in pixels. */
  frame?: { width: number; height: number }
  log: { warn(details: object, message: string): void }
}

const maxAttempts = 3
const maxSourceBytes = 64 * 1024 * 1024
const defaultLimits: RenderLimits = { timeoutMs: 15 * 60_000, heapMegabytes: 512 }

/** Creates a pool that renders waiting jobs, up to the limit of this process. */
export function createRenderPool(options: RenderPoolOptions) {
  const { jobs, store, log, maxRenders, frame = { width: 1080, height: 1920 }, watchIntervalMs = 1000 } = options
  const limits = { ...defaultLimits, ...options.limits }
  const closing = new AbortController()
  const running = new Map<string, { cancellation: AbortController; ended: Promise<void> }>()
  let claiming = Promise.resolve()

  const startWaiting = (): void => {
    // Sequential, because each claim depends on the slots that the previous one has used.
    claiming = claiming.then(claimAll)
  }

  const claimAll = async (): Promise<void> => {
    try {
      while (running.size < maxRenders && !closing.signal.aborted) {
        const claimed = await jobs.claim(Array.from(running.keys()), maxSlotsPerAccount(maxRenders))
        if (claimed === undefined) return
        const cancellation = new AbortController()
        running.set(claimed.id, { cancellation, ended: run(claimed, cancellation) })
      }
    } catch (err) {
      // The rows are unchanged, so the next request for a job retries.
      log.warn({ err }, 'failed to read render jobs')
    }
  }

  const run = async (claimed: ClaimedRender, cancellation: AbortController): Promise<void> => {
    await render(claimed, cancellation).catch((err: unknown) => log.warn({ err }, 'failed to end a render'))
    running.delete(claimed.id)
    await reportChange(claimed)
    startWaiting()
  }

  const reportChange = async ({ id }: ClaimedRender): Promise<void> => {
    await options.onChanged?.(id).catch((err: unknown) => log.warn({ err }, 'failed to report a change of a render'))
  }

  const render = async (claimed: ClaimedRender, cancellation: AbortController): Promise<void> => {
    const folder = join(options.folder, `${claimed.id}-${claimed.attempt}`)
    const watch = watchClaim(claimed, cancellation)
    try {
      if (claimed.attempt > maxAttempts) throw new RenderRefusedError('The renderer was interrupted too often.')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const rendered = await renderInto(folder, claimed, AbortSignal.any([closing.signal, cancellation.signal]))
      await storeResult(claimed, folder, rendered, cancellation.signal)
    } catch (error) {
      if (!cancellation.signal.aborted) await jobs.update(claimed, toChange(claimed, error))
    } finally {
      clearInterval(watch)
      await rm(folder, { recursive: true, force: true })
    }
  }

  const toChange = ({ id, attempt }: ClaimedRender, error: unknown): RenderChange => {
    // The attempt does not count, because the job did not cause its failure.
    if (closing.signal.aborted) return { state: 'queued', attempt: attempt - 1 }
    if (error instanceof RenderRefusedError) return { state: 'failed', message: error.message }
    log.warn({ err: error, renderId: id }, 'a render failed')
    return attempt < maxAttempts ? { state: 'queued' } : { state: 'failed', message: 'The renderer failed.' }
  }

  /** Aborts the render when its job is cancelled or another process has claimed it. */
  const watchClaim = (claimed: ClaimedRender, cancellation: AbortController): NodeJS.Timeout => {
    let checking: Promise<void> | undefined
    const check = async (): Promise<void> => {
      // An unavailable database does not cancel the job.
      if (!(await jobs.isHeld(claimed).catch(() => true)))
        cancellation.abort(new Error('the render is no longer needed'))
      checking = undefined
    }
    return setInterval(() => void (checking ??= check()), watchIntervalMs)
  }

  const renderInto = async (folder: string, claimed: ClaimedRender, signal: AbortSignal): Promise<RenderedMedia> => {
    const task = await createTask(claimed.request, folder)
    // Sequential writes preserve the order of the entries.
    let writing = Promise.resolve()
    const onLog = (message: string): void => {
      writing = writing
        .then(() => jobs.update(claimed, { state: 'running', message }))
        .then(() => reportChange(claimed))
        .catch((err: unknown) => log.warn({ err }, 'failed to store a log entry of a render'))
    }
    const rendered = await runRender(task, limits, { confinement: options.confinement, folder, onLog, signal })
    await writing
    return rendered
  }

  const createTask = async (request: ClaimedRender['request'], folder: string) => {
    const ffmpeg = await options.findFfmpeg()
    if (request.kind === 'music')
      return { kind: 'music', ffmpeg, request: { ...request, seed: request.seed ?? 0 } } as const
    if (ffmpeg === undefined)
      throw new RenderRefusedError(
        'The renderer has no ffmpeg, which videos require: install ffmpeg, or set FFMPEG_PATH.',
      )
    const imagePath = await fetchSource(store, request.imageUrl, folder, 'picture')
    const audioPath = await fetchSource(store, request.audioUrl, folder, 'song')
    return { kind: 'video', ffmpeg, job: { ...request, imagePath, audioPath, frame } } as const
  }

  const storeResult = async (
    claimed: ClaimedRender,
    folder: string,
    { file: name, durationSeconds }: RenderedMedia,
    signal: AbortSignal,
  ): Promise<void> => {
    const key = `renders/${claimed.id}${extname(name)}`
    const contentType = guessContentType(key)
    const content = await openRendered(join(folder, name))
    try {
      const { size: bytes } = await content.stat()
      await store.put(key, content.createReadStream(), { contentType, overwrite: true, signal })
      const file = { key, contentType, bytes, durationSeconds }
      if (await jobs.update(claimed, { state: 'completed', file })) return
    } finally {
      await content.close()
    }
    // A process that has reclaimed the job writes to the same key. Only a failed or cancelled job needs no file.
    if ((await jobs.find(claimed.id))?.state === 'failed') await store.delete(key)
  }

  return {
    startWaiting,
    /** Aborts the render of this job if this process runs it. */
    stop: (id: string): void => running.get(id)?.cancellation.abort(new Error('the render was cancelled')),
    close: async (): Promise<void> => {
      closing.abort(new Error('the process is stopping'))
      await claiming
      await Promise.all(Array.from(running.values(), ({ ended }) => ended))
    },
  }
}

/** Opens a file of the untrusted program. Rejects links, which could expose files of the host, and pipes, which would block. */
async function openRendered(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const stats = await file.stat()
  if (stats.isFile() && stats.nlink === 1) return file
  await file.close()
  throw new RenderRefusedError('The renderer created an invalid file.')
}

/** Copies an image or a song from the object store to `folder/name`. Returns the name. Sends no HTTP requests. */
async function fetchSource(store: StorePort, url: string, folder: string, name: string): Promise<string> {
  const key = store.parseKey(url)
  const source = key === undefined ? undefined : await store.open(key)
  if (source === undefined) throw new RenderRefusedError('The image or the song no longer exists.')
  if (source.size > maxSourceBytes) {
    source.content.destroy()
    throw new RenderRefusedError('The image or the song is too large.')
  }
  await pipeline(source.content, createWriteStream(join(folder, name), { mode: 0o600 }))
  return name
}
