import { createDisabledPort } from '../disabled-port.ts'
import type { CrewOptions } from './embedded/crew.ts'
import { createEmbeddedRender } from './embedded/index.ts'
import type { FalOptions } from './fal/call.ts'
import { findFfmpeg } from './ffmpeg.ts'
import type { RenderPort } from './index.ts'

/** Dependencies of the embedded renderer from its process. */
type Surroundings = Pick<CrewOptions, 'jobs' | 'store' | 'confinement' | 'onChanged' | 'log'>

export type RenderSettings =
  | ({ provider: 'embedded' } & Omit<CrewOptions, 'findFfmpeg' | keyof Surroundings> & {
        /** FFMPEG_PATH. */
        ffmpegPath: string | undefined
      })
  | ({ provider: 'fal' } & FalOptions)
  | { provider: 'none' }

/** Hooks of a renderer for its process: the embedded one runs jobs and stores files. */
export type OpenedRender = {
  render: RenderPort
  /** Deletes what was rendered before this time and not taken; answers how many files. */
  sweep(before: Date): Promise<number>
  close(): Promise<void>
}

/** The one renderer of this deployment. A vendor's library is loaded where it is used. */
export async function openRender(settings: RenderSettings, surroundings: Surroundings): Promise<OpenedRender> {
  if (settings.provider === 'none') return withoutWork(createDisabledPort('RENDER_PROVIDER'))
  if (settings.provider === 'fal') return withoutWork((await import('./fal/index.ts')).createFalRender(settings))
  const render = createEmbeddedRender({
    ...settings,
    ...surroundings,
    findFfmpeg: () => findFfmpeg(settings.ffmpegPath),
  })
  return { render, sweep: (before) => render.sweep(before), close: () => render.close() }
}

function withoutWork(render: RenderPort): OpenedRender {
  return { render, sweep: () => Promise.resolve(0), close: () => Promise.resolve() }
}

/** Verifies render webhooks of the configured vendor; undefined if it has none. */
export async function openRenderWebhook(settings: RenderSettings): Promise<RenderPort['verifyWebhook']> {
  if (settings.provider !== 'fal') return undefined
  const { createWebhookVerifier } = await import('./fal/webhook.ts')
  const { falUrls } = await import('./fal/call.ts')
  return createWebhookVerifier(settings.urls?.keys ?? falUrls.keys)
}
