import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { searchEnvironment } from '../../bare-environment.ts'

/** Maximum address space of ffmpeg, in kibibytes, so that a malicious file cannot make it allocate more. */
const maxKibibytes = 2 * 1024 * 1024
/** Maximum size of an output, which is kept in memory. */
const maxOutputBytes = 64 * 1024 * 1024
const probeTimeoutMs = 30_000

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * Runs ffmpeg with raw samples or frames on descriptor 0 (`pipe:0`) and returns its output. Throws an error with the end of
 * its error output. Called only in the media program, whose limits also apply to ffmpeg.
 */
export async function encode(ffmpeg: string, args: string[], chunks: Chunks = []): Promise<Buffer> {
  const { output, errorOutput, code } = await runFfmpeg(ffmpeg, ['-loglevel', 'error', ...args], chunks)
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${errorOutput.trim().slice(-500)}`)
  return output
}

export async function hasEncoder(ffmpeg: string, name: string): Promise<boolean> {
  return (await encode(ffmpeg, ['-encoders'])).toString().includes(` ${name} `)
}

/** Reads the duration of an input from its container, in seconds; undefined if it is missing or reading takes too long. */
export async function probeSeconds(ffmpeg: string, input: string[]): Promise<number | undefined> {
  // Without an output, ffmpeg describes its input and fails.
  const { errorOutput } = await runFfmpeg(ffmpeg, input, [], probeTimeoutMs)
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d+):([\d.]+)/.exec(errorOutput) ?? []
  return seconds === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

async function runFfmpeg(ffmpeg: string, args: string[], chunks: Chunks, timeout?: number) {
  const command = [ffmpeg, '-hide_banner', '-nostdin', ...args]
  const [file = '', ...rest] =
    process.platform === 'linux' ? ['sh', '-c', `ulimit -v ${maxKibibytes}; exec "$@"`, 'sh', ...command] : command
  const child = spawn(file, rest, { env: searchEnvironment, stdio: 'pipe', timeout, killSignal: 'SIGKILL' })
  const exited = once(child, 'close') as Promise<[number | null]>
  const writing = pipeline(Readable.from(chunks, { objectMode: false }), child.stdin).catch(
    (error: NodeJS.ErrnoException) => {
      // If the encoder exits early, its error output contains the reason.
      if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
      child.kill()
      throw error
    },
  )
  const output: Buffer[] = []
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxOutputBytes) child.kill('SIGKILL')
    else output.push(chunk)
  })
  const [errorOutput, [code]] = await Promise.all([text(child.stderr), exited, writing])
  return { output: Buffer.concat(output), errorOutput, code }
}
