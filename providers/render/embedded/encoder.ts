import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'

/** Address space of an encoder, in kibibytes: a broken or hostile file cannot take the machine. */
const maxKibibytes = 3 * 1024 * 1024

const feed = async (input: Writable, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> => {
  // An encoder that ends early says why on its other pipe.
  input.on('error', () => {})
  for await (const chunk of chunks) {
    if (input.destroyed) return
    if (!input.write(chunk)) await Promise.race([once(input, 'drain'), once(input, 'close')])
  }
  input.end()
}

type Run = { output: Buffer; complaint: string; code: number | null }

const start = async (
  ffmpeg: string,
  args: string[],
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Run> => {
  const command = [ffmpeg, '-hide_banner', '-nostdin', ...args]
  const limited = process.platform === 'linux'
  const child = limited
    ? spawn('sh', ['-c', `ulimit -v ${maxKibibytes}; exec "$@"`, 'sh', ...command], { stdio: 'pipe' })
    : spawn(ffmpeg, command.slice(1), { stdio: 'pipe' })
  const exited = once(child, 'close') as Promise<[number | null]>
  const [output, complaint, [code]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    exited,
    feed(child.stdin, chunks),
  ])
  return { output, complaint, code }
}

/** Runs ffmpeg with raw samples or frames on descriptor 0 (`pipe:0`); answers its output. Throws with its last words. */
export const encode = async (
  ffmpeg: string,
  args: string[],
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array> = [],
): Promise<Buffer> => {
  const { output, complaint, code } = await start(ffmpeg, ['-loglevel', 'error', ...args], chunks)
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${complaint.trim().slice(-500)}`)
  return output
}

export const hasEncoder = async (ffmpeg: string, name: string): Promise<boolean> =>
  (await encode(ffmpeg, ['-encoders'])).toString().includes(` ${name} `)

/** Seconds of a media file as its container says; undefined when that is none. */
export const probeSeconds = async (ffmpeg: string, path: string): Promise<number | undefined> => {
  // Without an output ffmpeg describes its input, and complains.
  const { complaint } = await start(ffmpeg, ['-i', path], [])
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d+):([\d.]+)/.exec(complaint) ?? []
  return seconds === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
