import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

/** Address space of an encoder, in kibibytes: a broken or hostile file cannot take the machine. */
const maxKibibytes = 3 * 1024 * 1024

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

type Run = { output: Buffer; complaint: string; code: number | null }

/** Runs ffmpeg with raw samples or frames on descriptor 0 (`pipe:0`); answers its output. Throws with its last words. */
export async function encode(ffmpeg: string, args: string[], chunks: Chunks = []): Promise<Buffer> {
  const { output, complaint, code } = await start(ffmpeg, ['-loglevel', 'error', ...args], chunks)
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${complaint.trim().slice(-500)}`)
  return output
}

export async function hasEncoder(ffmpeg: string, name: string): Promise<boolean> {
  return (await encode(ffmpeg, ['-encoders'])).toString().includes(` ${name} `)
}

/** Seconds of an input as its container says; undefined when it does not. */
export async function probeSeconds(ffmpeg: string, input: string[]): Promise<number | undefined> {
  // Without an output ffmpeg describes its input, and complains.
  const { complaint } = await start(ffmpeg, input, [])
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d+):([\d.]+)/.exec(complaint) ?? []
  return seconds === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

async function start(ffmpeg: string, args: string[], chunks: Chunks): Promise<Run> {
  const command = [ffmpeg, '-hide_banner', '-nostdin', ...args]
  const limited = process.platform === 'linux'
  const child = limited
    ? spawn('sh', ['-c', `ulimit -v ${maxKibibytes}; exec "$@"`, 'sh', ...command], { stdio: 'pipe' })
    : spawn(ffmpeg, command.slice(1), { stdio: 'pipe' })
  const exited = once(child, 'close') as Promise<[number | null]>
  const feeding = pipeline(Readable.from(chunks, { objectMode: false }), child.stdin).catch(
    (error: NodeJS.ErrnoException) => {
      // An encoder that ends early says why on its other pipe.
      if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
      child.kill()
      throw error
    },
  )
  const [output, complaint, [code]] = await Promise.all([buffer(child.stdout), text(child.stderr), exited, feeding])
  return { output, complaint, code }
}
