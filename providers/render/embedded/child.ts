import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Levels } from '../../../domain/content/clip.ts'
import type { DiskSpace } from '../../disk-space.ts'
import { createConfinement, type Confinement } from '../../sandbox/confined/index.ts'
import type { MusicRequest } from './music/request.ts'
import { RenderRefusedError } from './refusal.ts'
import type { VideoJob } from './video/render.ts'

const isSource = import.meta.url.endsWith('.ts')
const programPath = fileURLToPath(new URL(isSource ? './program.mjs' : './render-program.js', import.meta.url))
const checkout = isSource ? fileURLToPath(new URL('../../../', import.meta.url)) : dirname(dirname(programPath))

/** Paths of the checkout that the program can read. They contain no settings and no data. */
const readable = [
  ...(isSource ? ['providers', 'domain', 'tsconfig.json'] : ['dist']),
  'node_modules',
  'package.json',
].map((name) => join(checkout, name))

const mediaTypes = { 'track.mp3': 'audio/mpeg', 'track.wav': 'audio/wav', 'clip.mp4': 'video/mp4' } as const

/** Task of the media program. File names are relative to the folder of the task, its working directory. */
export type MediaTask =
  | { kind: 'music'; ffmpeg: string | undefined; request: MusicRequest }
  | { kind: 'video'; ffmpeg: string; job: VideoJob }
  | { kind: 'levels'; ffmpeg: string; song: string }

/** Schema of the program's output lines. They are untrusted, because the program parses untrusted files. */
const reportSchema = z.union([
  z.strictObject({ log: z.string().transform((text) => text.slice(0, 500)) }),
  z.strictObject({
    made: z.strictObject({ file: z.enum(['track.mp3', 'track.wav', 'clip.mp4']), durationSeconds: z.number().min(0) }),
  }),
  z.strictObject({
    heard: z.strictObject({ seconds: z.number().min(0), levels: z.array(z.number()).max(10_000).readonly() }),
  }),
  z.strictObject({ refused: z.string().transform((text) => text.slice(0, 500)) }),
  z.strictObject({ failed: z.string() }),
])
export type MediaReport = z.output<typeof reportSchema>

/** Rendered file in the folder of the task. It is untrusted. */
export type RenderedMedia = { path: string; contentType: string; durationSeconds: number }

export type RenderLimits = {
  timeoutMs: number
  heapMegabytes: number
}

const maxOutputBytes = 1024 * 1024
const maxLogs = 200

/** Runs a program in the idle scheduling class of Linux, or else with the lowest priority. */
const idlePrefix = ['sh', '-c', 'chrt --idle 0 true 2>/dev/null && exec chrt --idle 0 "$@"; exec nice -n 19 "$@"', 'sh']

/** Creates the confinement of the media program, which decodes untrusted songs and images. `root`: folder of the sandboxes. */
export function createMediaConfinement(options: {
  root: string
  disk?: Pick<DiskSpace, 'reserveBytes'> | undefined
  log?: { warn(details: object, message: string): void } | undefined
}): Confinement {
  const script = 'test -r "$0" && "$1" --version > version && echo works'
  const argv = ['sh', '-c', script, programPath, process.execPath]
  return createConfinement({ ...options, probe: { argv, readable: [...readable, process.execPath] } })
}

/** Renders in a separate process with low priority, which is killed at its time limit or when this process exits. */
export async function runRender(
  task: Exclude<MediaTask, { kind: 'levels' }>,
  { timeoutMs, heapMegabytes }: RenderLimits,
  run: { confinement: Confinement; folder: string; onLog: (message: string) => void; signal: AbortSignal },
): Promise<RenderedMedia> {
  const timeoutMessage = 'Rendering took too long.'
  const report = await runProgram(task, { ...run, timeoutMs, heapMegabytes, timeoutMessage, prefix: idlePrefix })
  if (!('made' in report)) throw new Error('the media program reported no rendered file')
  const { file, durationSeconds } = report.made
  return { path: join(run.folder, file), contentType: mediaTypes[file], durationSeconds }
}

/** Measures the loudness of a song over its length. Throws `RenderRefusedError` for a file that is not a song. */
export async function measureSong(
  task: { ffmpeg: string; song: string },
  run: { confinement: Confinement; folder: string; timeoutMs: number },
): Promise<Levels> {
  const timeoutMessage = 'Analyzing the song took too long.'
  const limits = { heapMegabytes: 256, timeoutMessage, prefix: [] }
  const report = await runProgram({ kind: 'levels', ...task }, { ...run, ...limits, onLog: () => {} })
  if (!('heard' in report)) throw new Error('the media program reported no levels')
  return report.heard
}

type ProgramRun = RenderLimits & {
  confinement: Confinement
  folder: string
  /** Error message after the time limit. */
  timeoutMessage: string
  prefix: string[]
  onLog: (message: string) => void
  signal?: AbortSignal
}

async function runProgram(task: MediaTask, run: ProgramRun): Promise<MediaReport> {
  const { confinement, folder, timeoutMs, signal } = run
  const ending = new AbortController()
  const ended = once(ending.signal, 'abort')
  const reports = readReports(run.onLog)
  try {
    const { timedOut, complaint: errorOutput } = await confinement.run(
      {
        argv: [...run.prefix, process.execPath, `--max-old-space-size=${run.heapMegabytes}`, programPath],
        readable: [...readable, process.execPath, ...(task.ffmpeg === undefined ? [] : [task.ffmpeg])],
        folder,
      },
      {
        stdin: writeAndKeepOpen(`${JSON.stringify(task)}\n`, ended),
        timeoutMs,
        maxOutputBytes,
        onBytes: reports.add,
        ...(signal && { signal }),
      },
    )
    const last = reports.last()
    if (last !== undefined && ('made' in last || 'heard' in last)) return last
    if (timedOut) throw new RenderRefusedError(run.timeoutMessage)
    if (last !== undefined && 'refused' in last) throw new RenderRefusedError(last.refused)
    const message = last !== undefined && 'failed' in last ? last.failed : errorOutput.trim()
    throw new Error(`the media program failed: ${message.slice(0, 2000)}`)
  } finally {
    ending.abort()
  }
}

/** Writes the line and keeps the input open, because its end signals to the program that this process has exited. */
async function* writeAndKeepOpen(line: string, ended: Promise<unknown>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(line)
  await ended
}

function readReports(onLog: (message: string) => void) {
  let rest = ''
  let logs = 0
  let last: MediaReport | undefined
  const read = (line: string): void => {
    const report = parseReport(line)
    if (report === undefined) return
    if (!('log' in report)) last = report
    else if (logs++ < maxLogs) onLog(report.log)
  }
  return {
    // `maxOutputBytes` also limits the length of a line.
    add: (bytes: Buffer): void => {
      const lines = (rest + bytes.toString('utf8')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) read(line)
    },
    last: () => last,
  }
}

function parseReport(line: string): MediaReport | undefined {
  try {
    return reportSchema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
