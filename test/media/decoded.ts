import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer, text } from 'node:stream/consumers'
import { findFfmpeg } from '../../providers/render/ffmpeg.ts'

/** Returns the path of this machine's ffmpeg. */
export async function requireFfmpeg(): Promise<string> {
  const path = await findFfmpeg(process.env['FFMPEG_PATH'])
  if (path === undefined) throw new Error('there is no ffmpeg')
  return path
}

/** Returns interleaved stereo samples at 44,100 Hz. */
export async function decodeAudio(path: string): Promise<Float32Array> {
  const { output } = await run([
    '-loglevel',
    'error',
    '-i',
    path,
    '-map',
    '0:a',
    '-f',
    'f32le',
    '-ar',
    '44100',
    '-ac',
    '2',
    'pipe:1',
  ])
  return new Float32Array(output.buffer.slice(output.byteOffset, output.byteOffset + output.byteLength))
}

export function measureSeconds(samples: Float32Array): number {
  return samples.length / 2 / 44_100
}

export function measurePeak(samples: Float32Array): number {
  return samples.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0)
}

/**
 * Returns the integrated loudness in LUFS, measured by ffmpeg. ffmpeg needs more than two seconds, so a short track is looped.
 */
export async function measureLoudness(path: string): Promise<number> {
  const { log } = await run([
    '-nostats',
    '-stream_loop',
    '3',
    '-i',
    path,
    '-filter_complex',
    'ebur128',
    '-f',
    'null',
    '-',
  ])
  // ffmpeg prints one summary each time it sets up the filters.
  return Number([...log.matchAll(/Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/g)].at(-1)?.[1])
}

/** Returns ffmpeg's description of the streams of a file. */
export async function describeFile(path: string): Promise<string> {
  return (await run(['-i', path])).log
}

/** Returns the RGB pixels of the frame at this second. */
export async function readFrame(path: string, seconds: number): Promise<Buffer> {
  return (
    await run([
      '-loglevel',
      'error',
      '-ss',
      String(seconds),
      '-i',
      path,
      '-frames:v',
      '1',
      '-f',
      'rawvideo',
      '-pix_fmt',
      'rgb24',
      'pipe:1',
    ])
  ).output
}

async function run(args: string[]): Promise<{ output: Buffer; log: string }> {
  const child = spawn(await requireFfmpeg(), ['-hide_banner', '-nostdin', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, log] = await Promise.all([buffer(child.stdout), text(child.stderr), once(child, 'close')])
  return { output, log }
}
