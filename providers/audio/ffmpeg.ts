import { basename, dirname } from 'node:path'
import { ProviderError } from '../errors/provider-error.ts'
import { measureSong } from '../render/embedded/child.ts'
import { RenderRefusedError } from '../render/embedded/refusal.ts'
import type { Confinement } from '../sandbox/confined/index.ts'
import type { AudioPort } from './index.ts'

const defaultTimeoutMs = 2 * 60_000

/** Analyzes songs with the ffmpeg of the renderer, if it is installed. */
export function createAudio(options: {
  findFfmpeg: () => Promise<string | undefined>
  confinement: Confinement
  /** Time limit per song. */
  timeoutMs?: number
}): AudioPort {
  const { findFfmpeg, confinement, timeoutMs = defaultTimeoutMs } = options
  return {
    measureLevels: async (path) => {
      const ffmpeg = await findFfmpeg()
      if (ffmpeg === undefined) return undefined
      try {
        return await measureSong({ ffmpeg, song: basename(path) }, { confinement, folder: dirname(path), timeoutMs })
      } catch (error) {
        if (error instanceof RenderRefusedError) throw new ProviderError('invalid', `audio: ${error.message}`)
        throw error
      }
    },
  }
}
