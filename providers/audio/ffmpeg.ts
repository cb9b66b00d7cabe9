import { secondsPerLevel } from '../../domain/content/clip.ts'
import { ProviderFault } from '../fault.ts'
import { encode } from '../render/embedded/encoder.ts'
import { RenderRefusal } from '../render/embedded/refusal.ts'
import { openSong } from '../render/embedded/video/song.ts'
import type { AudioPort } from './index.ts'

const rate = 8000
const samplesPerLevel = rate * secondsPerLevel
/** Of a song that is listened to. */
const maxSeconds = 20 * 60

/** Decodes songs with the ffmpeg of the renderer, where there is one. */
export function createAudio(findFfmpeg: () => Promise<string | undefined>): AudioPort {
  return {
    levelsOf: async (path) => {
      const ffmpeg = await findFfmpeg()
      if (ffmpeg === undefined) return undefined
      try {
        const { input, seconds } = await openSong(ffmpeg, path)
        const what = ['-t', String(maxSeconds), ...input, '-map', '0:a:0', '-ac', '1', '-ar', String(rate)]
        const samples = await encode(ffmpeg, [...what, '-f', 's16le', 'pipe:1'])
        return { seconds, levels: toLevels(samples) }
      } catch (error) {
        if (error instanceof RenderRefusal) throw new ProviderFault('invalid', `audio: ${error.message}`)
        throw error
      }
    },
  }
}

/** Mean power of each half second, in decibels above a quiet floor: loudness as ears have it. */
function toLevels(samples: Buffer): number[] {
  const count = Math.floor(samples.length / 2 / samplesPerLevel)
  return Array.from({ length: count }, (_, level) => {
    let sum = 0
    for (let at = level * samplesPerLevel; at < (level + 1) * samplesPerLevel; at++)
      sum += samples.readInt16LE(at * 2) ** 2
    return 10 * Math.log10(1 + sum / samplesPerLevel)
  })
}
