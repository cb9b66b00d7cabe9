import type { CrewOptions } from './embedded/crew.ts'
import { createEmbeddedRender } from './embedded/index.ts'
import type { FalOptions } from './fal/call.ts'
import { findFfmpeg } from './ffmpeg.ts'
import type { RenderPort } from './index.ts'

export type EmbeddedRenderSettings = Omit<CrewOptions, 'findFfmpeg'> & {
  /** FFMPEG_PATH. */
  ffmpegPath: string | undefined
}
export type RenderOptions = ({ provider: 'embedded' } & EmbeddedRenderSettings) | ({ provider: 'fal' } & FalOptions)

/** What the processes around a renderer call: the embedded one has work and files of its own. */
export type OpenedRender = {
  render: RenderPort
  /** Deletes what was rendered before this time and not taken; answers how many files. */
  sweep(before: Date): Promise<number>
  close(): Promise<void>
}

/** The one renderer of this deployment. A vendor's library is loaded where it is used. */
export async function openRender(options: RenderOptions): Promise<OpenedRender> {
  if (options.provider === 'fal') {
    const render = (await import('./fal/index.ts')).createFalRender(options)
    return { render, sweep: () => Promise.resolve(0), close: () => Promise.resolve() }
  }
  const { ffmpegPath, folder } = options
  const render = createEmbeddedRender({ ...options, findFfmpeg: () => findFfmpeg(ffmpegPath, folder) })
  return { render, sweep: (before) => render.sweep(before), close: () => render.close() }
}
