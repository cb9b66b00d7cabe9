import { createDisabledPort } from '../disabled-port.ts'
import type { CrewOptions } from './embedded/crew.ts'
import { createEmbeddedRender } from './embedded/index.ts'
import type { FalOptions } from './fal/call.ts'
import { findFfmpeg } from './ffmpeg.ts'
import type { RenderPort } from './index.ts'

/** Dependencies of the embedded renderer from its process. */
type ProcessDependencies = Pick<CrewOptions, 'jobs' | 'store' | 'confinement' | 'onChanged' | 'log'>

export type RenderSettings =
  | ({ provider: 'embedded' } & Omit<CrewOptions, 'findFfmpeg' | keyof ProcessDependencies> & {
        /** Value of FFMPEG_PATH. */
        ffmpegPath: string | undefined
      })
  | ({ provider: 'fal' } & FalOptions)
  | { provider: 'none' }

/** Renderer with hooks for its process, because the embedded renderer runs jobs and stores files. */
export type OpenedRender = {
  render: RenderPort
  /** Deletes jobs that ended before this time, with their files. Returns the number of files. */
  sweep(before: Date): Promise<number>
  close(): Promise<void>
}

/** Creates the renderer of this deployment. Loads a vendor's library only if it is used. */
export async function openRender(settings: RenderSettings, dependencies: ProcessDependencies): Promise<OpenedRender> {
  if (settings.provider === 'none') return withoutJobs(createDisabledPort('RENDER_PROVIDER'))
  if (settings.provider === 'fal') return withoutJobs((await import('./fal/index.ts')).createFalRender(settings))
  const render = createEmbeddedRender({
    ...settings,
    ...dependencies,
    findFfmpeg: () => findFfmpeg(settings.ffmpegPath),
  })
  return { render, sweep: (before) => render.sweep(before), close: () => render.close() }
}

function withoutJobs(render: RenderPort): OpenedRender {
  return { render, sweep: () => Promise.resolve(0), close: () => Promise.resolve() }
}

/** Verifies render webhooks of the configured vendor; undefined if it has none. */
export async function openRenderWebhook(settings: RenderSettings): Promise<RenderPort['verifyWebhook']> {
  if (settings.provider !== 'fal') return undefined
  const { createWebhookVerifier } = await import('./fal/webhook.ts')
  const { falUrls } = await import('./fal/call.ts')
  return createWebhookVerifier(settings.urls?.keys ?? falUrls.keys)
}
