import { constants } from 'node:fs'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { ClaimedRender, RenderJobs } from '../../../domain/renders.ts'
import type { Confinement } from '../../sandbox/confined/index.ts'
import type { StorePort } from '../../store/index.ts'
import { maxSlotsPerAccount } from '../../../domain/runs/slots.ts'
import { runRender, type RenderedMedia, type RenderLimits } from './child.ts'
import { RenderRefusedError } from './refusal.ts'
import { fetchSources } from './sources.ts'

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
const defaultLimits: RenderLimits = { timeoutMs: 15 * 60_000, heapMegabytes: 512 }
const defaultWatchIntervalMs = 1000
const defaultFrame = { width: 1080, height: 1920 }

/** Creates a pool that renders waiting jobs, up to the limit of this process. */
export function createRenderPool(options: RenderPoolOptions) {
  const { jobs, store, log, frame = defaultFrame, watchIntervalMs = defaultWatchIntervalMs } = options
  const limits = { ...defaultLimits, ...options.limits }
  const closeController = new AbortController()
  const activeWorkers = new Set<Promise<void>>()
  const heldIds = new Set<string>()
  const runningRenders = new Map<string, AbortController>()
  let usedSlots = 0
  let claiming: Promise<unknown> = Promise.resolve()

  const reportChange = async ({ id }: ClaimedRender): Promise<void> => {
    await options.onChanged?.(id).catch((err: unknown) => log.warn({ err }, 'failed to report a change of a render'))
  }

  /** Returns a signal that aborts when the job is cancelled or another process has claimed it. */
  const watch = (claimed: ClaimedRender): { signal: AbortSignal; end: () => void } => {
    const cancellation = new AbortController()
    let isChecking = false
    const check = async (): Promise<void> => {
      if (isChecking) return
      isChecking = true
      // An unavailable database does not cancel the job.
      if (!(await jobs.isHeld(claimed).catch(() => true)))
        cancellation.abort(new Error('the render is no longer needed'))
      isChecking = false
    }
    const timer = setInterval(() => void check(), watchIntervalMs)
    runningRenders.set(claimed.id, cancellation)
    const end = (): void => {
      clearInterval(timer)
      runningRenders.delete(claimed.id)
    }
    return { signal: cancellation.signal, end }
  }

  const createTask = async (request: ClaimedRender['request'], ffmpeg: string | undefined, folder: string) => {
    if (request.kind === 'music')
      return { kind: 'music', ffmpeg, request: { ...request, seed: request.seed ?? 0 } } as const
    if (ffmpeg === undefined)
      throw new RenderRefusedError(
        'The renderer has no ffmpeg, which videos require: install ffmpeg, or set FFMPEG_PATH.',
      )
    return {
      kind: 'video',
      ffmpeg,
      job: { ...request, ...(await fetchSources(store, request, folder)), frame },
    } as const
  }

  const renderInto = async (folder: string, claimed: ClaimedRender, signal: AbortSignal): Promise<RenderedMedia> => {
    const ffmpeg = await options.findFfmpeg()
    const task = await createTask(claimed.request, ffmpeg, folder)
    // Sequential writes preserve the order of the entries.
    let writing = Promise.resolve()
    const onLog = (message: string): void => {
      writing = writing
        .then(() => jobs.log(claimed, message))
        .then(() => reportChange(claimed))
        .catch((err: unknown) => log.warn({ err }, 'failed to store a log entry of a render'))
    }
    const { confinement } = options
    const rendered = await runRender(task, limits, { confinement, folder, onLog, signal })
    await writing
    return rendered
  }

  const storeResult = async (claimed: ClaimedRender, rendered: RenderedMedia, signal: AbortSignal): Promise<void> => {
    const { id } = claimed
    const { path, contentType, durationSeconds } = rendered
    const key = `renders/${id}${extname(path)}`
    const file = await openRendered(path)
    try {
      const { size: bytes } = await file.stat()
      await store.put(key, file.createReadStream(), { contentType, overwrite: true, signal })
      if (await jobs.complete(claimed, { key, contentType, bytes, durationSeconds })) return
    } finally {
      await file.close()
    }
    // A process that has reclaimed the job writes to the same key. Only a failed or cancelled job needs no file.
    if ((await jobs.find(id))?.state === 'failed') await store.delete(key)
  }

  const fail = async (claimed: ClaimedRender, error: unknown, isCancelled: boolean): Promise<void> => {
    if (isCancelled) return
    if (closeController.signal.aborted) return jobs.release(claimed, { counts: false })
    if (error instanceof RenderRefusedError) return jobs.fail(claimed, error.message)
    log.warn({ err: error, renderId: claimed.id }, 'a render failed')
    return claimed.attempt < maxAttempts
      ? jobs.release(claimed, { counts: true })
      : jobs.fail(claimed, 'The renderer failed.')
  }

  const render = async (claimed: ClaimedRender): Promise<void> => {
    const folder = join(options.folder, `${claimed.id}-${claimed.attempt}`)
    const cancellation = watch(claimed)
    const signal = AbortSignal.any([closeController.signal, cancellation.signal])
    try {
      if (claimed.attempt > maxAttempts) throw new RenderRefusedError('The renderer was interrupted too often.')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await storeResult(claimed, await renderInto(folder, claimed, signal), cancellation.signal)
    } catch (error) {
      await fail(claimed, error, cancellation.signal.aborted)
    } finally {
      cancellation.end()
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Claims a job. Claims are sequential, because each depends on the slots that the previous one has used. */
  const claim = (): Promise<ClaimedRender | undefined> => {
    const next = claiming.then(async () => {
      const claimed = await jobs.claim(Array.from(heldIds), maxSlotsPerAccount(options.maxRenders))
      if (claimed !== undefined) heldIds.add(claimed.id)
      return claimed
    })
    claiming = next.catch(() => {})
    return next
  }

  const runNext = async (): Promise<boolean> => {
    const claimed = await claim()
    if (claimed === undefined) return false
    try {
      await render(claimed)
    } finally {
      heldIds.delete(claimed.id)
    }
    await reportChange(claimed)
    return true
  }

  const runJobs = async (): Promise<void> => {
    try {
      while (!closeController.signal.aborted && (await runNext())) continue
    } catch (err) {
      // The row is unchanged, so the next request for the job retries.
      log.warn({ err }, 'failed to read render jobs')
    } finally {
      usedSlots--
    }
  }

  return {
    /** Starts a waiting job if a slot is free. */
    startNext: (): void => {
      if (usedSlots >= options.maxRenders || closeController.signal.aborted) return
      usedSlots++
      const slot = runJobs()
      activeWorkers.add(slot)
      void slot.finally(() => activeWorkers.delete(slot))
    },
    /** Aborts the render of this job if this process runs it. */
    stop: (id: string): void => runningRenders.get(id)?.abort(new Error('the render was cancelled')),
    close: async (): Promise<void> => {
      closeController.abort(new Error('the process is stopping'))
      await Promise.all(activeWorkers)
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
