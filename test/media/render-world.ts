import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRenderJobs } from '../../db/music/embedded-renders.ts'
import { holdProcessLock, type ProcessLock } from '../../db/postgres/process-lock.ts'
import type { MusicRender, RenderLog, RenderRequest } from '../../domain/renders.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { createEmbeddedRender, type EmbeddedRender } from '../../providers/render/embedded/index.ts'
import type { RenderPoolOptions } from '../../providers/render/embedded/pool.ts'
import { createMediaConfinement } from '../../providers/render/embedded/child.ts'
import { createFolderStore } from '../../providers/store/folder.ts'
import type { StorePort } from '../../providers/store/index.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { requireFfmpeg } from './decoded.ts'

export type RenderWorld = {
  world: World
  folder: string
  store: StorePort
  /** Warnings that the renderers logged. */
  warnings: object[]
  /** Opens a renderer as a separate process would. */
  openRender(overrides?: Partial<RenderPoolOptions>): Promise<EmbeddedRender>
  close(): Promise<void>
}

export async function createRenderWorld(): Promise<RenderWorld> {
  const world = await createWorld({ worker: false })
  const folder = await mkdtemp(join(tmpdir(), 'backline-render-'))
  const store = createFolderStore({ folder: join(folder, 'store'), storeUrl: 'http://store.example/media' })
  const warnings: object[] = []
  const opened: { render: EmbeddedRender; lock: ProcessLock }[] = []
  return {
    world,
    folder,
    store,
    warnings,
    openRender: async (overrides = {}) => {
      const lock = await holdProcessLock(world.databaseUrl)
      const render = createEmbeddedRender({
        jobs: createRenderJobs(world.db, lock.processId, []),
        store,
        folder: join(folder, 'work'),
        findFfmpeg: requireFfmpeg,
        confinement: createMediaConfinement({ root: join(folder, 'sandboxes') }),
        maxRenders: 1,
        frame: { width: 360, height: 640 },
        log: { warn: (details) => warnings.push(details) },
        ...overrides,
      })
      opened.push({ render, lock })
      return render
    },
    close: async () => {
      for (const { render, lock } of opened) {
        await render.close()
        await lock.close()
      }
      await world.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export function track(overrides: Partial<MusicRender> = {}): RenderRequest {
  return {
    kind: 'music',
    prompt: 'house',
    lyrics: 'hello',
    seconds: 2,
    steps: 30,
    guidance: 1.7,
    seed: 5,
    ...overrides,
  }
}

export function createClip(urls: { imageUrl: string; audioUrl: string }): RenderRequest {
  return {
    kind: 'video',
    ...urls,
    startSeconds: 0.5,
    durationSeconds: 2,
    caption: 'out now',
    template: 'artist-caption-stage',
    lipsync: false,
    upscale: false,
  }
}

type EndedRender = { state: 'completed' | 'failed'; logs: RenderLog[] }

export function awaitRenderEnd(render: EmbeddedRender, requestId: string): Promise<EndedRender> {
  return eventually('the end of a render', async () => {
    const { state, logs } = await render.status(requestId)
    return state === 'completed' || state === 'failed' ? { state, logs } : undefined
  })
}

/** Returns the kind of a provider error, and any other error unchanged. */
export function readErrorKind(error: unknown): unknown {
  return error instanceof ProviderError ? error.kind : error
}
