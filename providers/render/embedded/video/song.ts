import { open } from 'node:fs/promises'
import { secondsPerLevel, type Levels } from '../../../../domain/content/clip.ts'
import { encode, probeSeconds } from '../encoder.ts'
import { RenderRefusedError } from '../refusal.ts'

/** Song with a supported format. `input`: ffmpeg arguments that open it. */
export type Song = { input: string[]; seconds: number }

const sniffedBytes = 16
/** Limit that prevents ffmpeg from decoding images inside a song. */
const maxPixels = 1

/** Opens an MP3, WAV, FLAC, Ogg, AAC or MP4 file. Throws for any other file. */
export async function openSong(ffmpeg: string, path: string): Promise<Song> {
  const format = detectFormat(await readStart(path))
  const limits = ['-protocol_whitelist', 'file,pipe', '-max_pixels', String(maxPixels), '-vn']
  const input = [...limits, '-f', format ?? '', '-i', path]
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
  const powers = await measurePowers(ffmpeg, ['-t', String(maxSeconds), ...input, '-map', '0:a:0'], secondsPerLevel)
  return { seconds, levels: powers.map((power) => 10 * Math.log10(1 + power)) }
}

/** Measures the loudness of the vocal frequency band for each frame of a clip, smoothed, from 0 to 1. */
export async function measureVoice(
  ffmpeg: string,
  { input }: Song,
  clip: { startSeconds: number; seconds: number; framesPerSecond: number },
): Promise<number[]> {
  const part = ['-ss', String(clip.startSeconds), '-t', String(clip.seconds), ...input]
  const band = ['-af', 'highpass=f=250,lowpass=f=3200']
  const powers = await measurePowers(ffmpeg, [...part, ...band], 1 / clip.framesPerSecond)
  const loudest = Math.max(1, ...powers)
  let level = 0
  return powers.map((power) => {
    const target = Math.sqrt(power / loudest)
    // The level rises quickly and falls slowly, like the mouth of a singer.
    level += (target - level) * (target > level ? 0.6 : 0.18)
    return level
  })
}

/** Decodes the input of these ffmpeg arguments. Returns the mean power of each interval. */
async function measurePowers(ffmpeg: string, input: string[], intervalSeconds: number): Promise<number[]> {
  const output = ['-ac', '1', '-ar', String(analysisRate), '-f', 's16le', 'pipe:1']
  const samples = await encode(ffmpeg, [...input, ...output])
  const length = analysisRate * intervalSeconds
  return Array.from({ length: Math.floor(samples.length / 2 / length) }, (_, interval) => {
    const [from, to] = [Math.floor(interval * length), Math.floor((interval + 1) * length)]
    let sum = 0
    for (let index = from; index < to; index++) sum += samples.readInt16LE(index * 2) ** 2
    return sum / (to - from)
  })
}

/**
 * Detects the format from the first bytes. Without an explicit format, ffmpeg would accept playlists and open the files and
 * URLs in them.
 */
function detectFormat(bytes: Buffer): string | undefined {
  if (hasTextAt(bytes, 0, 'RIFF') && hasTextAt(bytes, 8, 'WAVE')) return 'wav'
  if (hasTextAt(bytes, 4, 'ftyp')) return 'mov'
  if (hasTextAt(bytes, 0, 'fLaC')) return 'flac'
  if (hasTextAt(bytes, 0, 'OggS')) return 'ogg'
  const [first = 0, second = 0] = bytes
  if (first === 0xff && (second & 0xf6) === 0xf0) return 'aac'
  return hasTextAt(bytes, 0, 'ID3') || (first === 0xff && (second & 0xe0) === 0xe0) ? 'mp3' : undefined
}

function hasTextAt(bytes: Buffer, index: number, text: string): boolean {
  return bytes.subarray(index, index + text.length).toString('latin1') === text
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
