import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer, text } from 'node:stream/consumers'
import { findFfmpeg } from '../../providers/render/ffmpeg.ts'

/** The ffmpeg of this machine. */
export async function ffmpeg(): Promise<string> {
  const path = await findFfmpeg(process.env['FFMPEG_PATH'])
  if (path === undefined) throw new Error('there is no ffmpeg')
  return path
}

/** Samples of both sides, one after the other, at 44,100 a second. */
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
 * Integrated loudness in LUFS as ffmpeg measures it, which needs more than two seconds: those of a short track again.
 */
export async function measureLoudness(path: string): Promise<number> {
  const { said } = await run([
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
  // One summary for each time that the filters were set up.
  return Number([...said.matchAll(/Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/g)].at(-1)?.[1])
}

/** The output of ffmpeg about the streams of a file. */
export async function describeFile(path: string): Promise<string> {
  return (await run(['-i', path])).said
}

/** Pixels of the frame at this second, in RGB. */
export async function frameAt(path: string, seconds: number): Promise<Buffer> {
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

async function run(args: string[]): Promise<{ output: Buffer; said: string }> {
  const child = spawn(await ffmpeg(), ['-hide_banner', '-nostdin', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, said] = await Promise.all([buffer(child.stdout), text(child.stderr), once(child, 'close')])
  return { output, said }
}
