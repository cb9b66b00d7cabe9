import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { secondsPerLevel, type Levels } from '../../../../domain/content/clip.ts'
import { sniffedBytes, sniffSong } from '../../../../domain/content/media.ts'
import { encode, probeSeconds } from '../encoder.ts'
import { RenderRefusedError } from '../refusal.ts'

/** Song with a supported format. `input`: ffmpeg arguments that open it. */
export type Song = { input: string[]; seconds: number }

/** Limit that prevents ffmpeg from decoding images inside a song. */
const maxPixels = 1

/** Opens an MP3, WAV, FLAC, Ogg, AAC or MP4 file. Throws for any other file. */
export async function openSong(ffmpeg: string, path: string): Promise<Song> {
  // Without an explicit format, ffmpeg would accept playlists and open the files and URLs in them.
  const format = sniffSong(await buffer(createReadStream(path, { end: sniffedBytes - 1 })))?.extension
  const limits = ['-protocol_whitelist', 'file,pipe', '-max_pixels', String(maxPixels), '-vn']
  const input = [...limits, '-f', format === 'm4a' ? 'mov' : (format ?? ''), '-i', path]
  const seconds = format === undefined ? undefined : await probeSeconds(ffmpeg, input)
  if (seconds === undefined) throw new RenderRefusedError('The song is not a readable audio file.')
  return { input, seconds }
}

const analysisRate = 8000
/** Maximum duration to analyze. */
const maxSeconds = 20 * 60

/** Measures the mean power per half second, in decibels above a noise floor. */
export async function measureLevels(ffmpeg: string, path: string): Promise<Levels> {
  const { input, seconds } = await openSong(ffmpeg, path)
  const output = ['-map', '0:a:0', '-ac', '1', '-ar', String(analysisRate), '-f', 's16le', 'pipe:1']
  const samples = await encode(ffmpeg, ['-t', String(maxSeconds), ...input, ...output])
  const length = analysisRate * secondsPerLevel
  const levels = Array.from({ length: Math.floor(samples.length / 2 / length) }, (_, interval) => {
    let sum = 0
    for (let index = interval * length; index < (interval + 1) * length; index++)
      sum += samples.readInt16LE(index * 2) ** 2
    return 10 * Math.log10(1 + sum / length)
  })
  return { seconds, levels }
}
