import { basename, dirname } from 'node:path'
import { ProviderError } from '../fault.ts'
import { listenToSong } from '../render/embedded/child.ts'
import { RenderRefusedError } from '../render/embedded/refusal.ts'
import type { Confinement } from '../sandbox/confined/index.ts'
import type { AudioPort } from './index.ts'

const usualTimeoutMs = 2 * 60_000

/** Decodes songs with the ffmpeg of the renderer, if there is one. */
export function createAudio(options: {
  findFfmpeg: () => Promise<string | undefined>
  confinement: Confinement
  /** Of one song. */
  timeoutMs?: number
}): AudioPort {
  const { findFfmpeg, confinement, timeoutMs = usualTimeoutMs } = options
  return {
    measureLevels: async (path) => {
      const ffmpeg = await findFfmpeg()
      if (ffmpeg === undefined) return undefined
      try {
        return await listenToSong({ ffmpeg, song: basename(path) }, { confinement, folder: dirname(path), timeoutMs })
      } catch (error) {
        if (error instanceof RenderRefusedError) throw new ProviderError('invalid', `audio: ${error.message}`)
        throw error
      }
    },
  }
}
