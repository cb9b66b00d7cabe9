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
  const input = [
    '-protocol_whitelist',
    'file,pipe',
    '-max_pixels',
    String(maxPixels),
    '-vn',
    '-f',
    format ?? '',
    '-i',
    path,
  ]
  const seconds = format === undefined ? undefined : await probeSeconds(ffmpeg, input)
  if (seconds === undefined) throw new RenderRefusedError('The song is not a readable audio file.')
  return { input, seconds }
}

const analysisRate = 8000
const samplesPerLevel = analysisRate * secondsPerLevel
/** Maximum duration to analyze. */
const maxSeconds = 20 * 60

/** Measures the mean power per half second, in decibels above a noise floor. */
export async function measureLevels(ffmpeg: string, path: string): Promise<Levels> {
  const { input, seconds } = await openSong(ffmpeg, path)
  const decoding = ['-t', String(maxSeconds), ...input, '-map', '0:a:0', '-ac', '1', '-ar', String(analysisRate)]
  const samples = await encode(ffmpeg, [...decoding, '-f', 's16le', 'pipe:1'])
  const count = Math.floor(samples.length / 2 / samplesPerLevel)
  const levels = Array.from({ length: count }, (_, level) => {
    let sum = 0
    for (let index = level * samplesPerLevel; index < (level + 1) * samplesPerLevel; index++)
      sum += samples.readInt16LE(index * 2) ** 2
    return 10 * Math.log10(1 + sum / samplesPerLevel)
  })
  return { seconds, levels }
}

/** Measures the loudness of the vocal frequency band for each frame of a clip, smoothed, from 0 to 1. */
export async function measureVoice(
  ffmpeg: string,
  { input }: Song,
  clip: { startSeconds: number; seconds: number; framesPerSecond: number },
): Promise<number[]> {
  const { startSeconds, seconds, framesPerSecond } = clip
  const part = ['-ss', String(startSeconds), '-t', String(seconds), ...input]
  const band = ['-af', 'highpass=f=250,lowpass=f=3200', '-ac', '1', '-ar', String(analysisRate)]
  const bytes = await encode(ffmpeg, [...part, ...band, '-f', 's16le', 'pipe:1'])
  const perFrame = analysisRate / framesPerSecond
  const powers = Array.from({ length: Math.ceil(seconds * framesPerSecond) }, (_, frame) => {
    let sum = 0
    for (let index = Math.floor(frame * perFrame); index < (frame + 1) * perFrame; index++)
      sum += index * 2 + 1 < bytes.length ? bytes.readInt16LE(index * 2) ** 2 : 0
    return Math.sqrt(sum / perFrame)
  })
  const loudest = Math.max(1, ...powers)
  let level = 0
  return powers.map((power) => {
    const target = power / loudest
    // The level rises quickly and falls slowly, like the mouth of a singer.
    level += (target - level) * (target > level ? 0.6 : 0.18)
    return level
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
