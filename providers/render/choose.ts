import { createDisabledPort } from '../disabled-port.ts'
import type { RenderPoolOptions } from './embedded/pool.ts'
import { createEmbeddedRender, type EmbeddedRender } from './embedded/index.ts'
import type { FalOptions } from './fal/call.ts'
import { findFfmpeg } from './ffmpeg.ts'
import type { RenderPort } from './index.ts'

/** Dependencies that the process provides to the embedded renderer. */
type ProcessDependencies = Pick<RenderPoolOptions, 'jobs' | 'store' | 'confinement' | 'onChanged' | 'log'>

export type RenderSettings =
  | ({ provider: 'embedded' } & Omit<RenderPoolOptions, 'findFfmpeg' | keyof ProcessDependencies> & {
        /** Value of FFMPEG_PATH. */
        ffmpegPath: string | undefined
      })
  | ({ provider: 'fal' } & FalOptions)
  | { provider: 'none' }

/** Renderer with the sweep and shutdown of the embedded renderer's jobs and files. */
export type OpenedRender = Pick<EmbeddedRender, 'sweep' | 'close'> & { render: RenderPort }

/** Creates the renderer of this deployment. Loads a vendor's library only if that vendor is configured. */
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

/** Returns the webhook verifier of the configured vendor; undefined if the vendor has no webhooks. */
export async function openRenderWebhook(settings: RenderSettings): Promise<RenderPort['verifyWebhook']> {
  if (settings.provider !== 'fal') return undefined
  const { createWebhookVerifier } = await import('./fal/webhook.ts')
  const { falUrls } = await import('./fal/call.ts')
  return createWebhookVerifier(settings.urls?.keys ?? falUrls.keys)
}
