import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
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

/** Task of the media program. File names are relative to the folder of the task, its working directory. */
export type MediaTask =
  | { kind: 'music'; ffmpeg: string | undefined; request: MusicRequest }
  | { kind: 'video'; ffmpeg: string; job: VideoJob }
  | { kind: 'levels'; ffmpeg: string; song: string }

const shownText = z.string().transform((text) => text.slice(0, 500))

/** Schema of the program's output lines. They are untrusted, because the program parses untrusted files. */
const reportSchema = z
  .strictObject({
    log: shownText,
    made: z.strictObject({ file: z.enum(['track.mp3', 'track.wav', 'clip.mp4']), durationSeconds: z.number().min(0) }),
    heard: z.strictObject({ seconds: z.number().min(0), levels: z.array(z.number()).max(10_000).readonly() }),
    refused: shownText,
    failed: z.string(),
  })
  .partial()
export type MediaReport = z.output<typeof reportSchema>

/** Rendered file in the folder of the task. It is untrusted. */
export type RenderedMedia = NonNullable<MediaReport['made']>

export type RenderLimits = { timeoutMs: number; heapMegabytes: number }

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
  limits: RenderLimits,
  run: ProgramRun & { signal: AbortSignal },
): Promise<RenderedMedia> {
  const { made } = await runProgram(task, run, {
    ...limits,
    timeoutMessage: 'Rendering took too long.',
    prefix: idlePrefix,
  })
  if (made === undefined) throw new Error('the media program reported no rendered file')
  return made
}

/** Measures the loudness of a song over its length. Throws `RenderRefusedError` for a file that is not a song. */
export async function measureSong(
  task: { ffmpeg: string; song: string },
  { timeoutMs, ...run }: ProgramRun & { timeoutMs: number },
): Promise<Levels> {
  const limits = { timeoutMs, heapMegabytes: 256, timeoutMessage: 'Analyzing the song took too long.', prefix: [] }
  const { heard } = await runProgram({ kind: 'levels', ...task }, run, limits)
  if (heard === undefined) throw new Error('the media program reported no levels')
  return heard
}

type ProgramRun = {
  confinement: Confinement
  folder: string
  onLog?: (message: string) => void
  signal?: AbortSignal
}

async function runProgram(
  task: MediaTask,
  { confinement, folder, onLog, signal }: ProgramRun,
  limits: RenderLimits & { timeoutMessage: string; prefix: string[] },
): Promise<MediaReport> {
  const reports = createReportReader(onLog)
  // Stays open, because the end of the input signals to the program that this process has exited.
  const stdin = new PassThrough()
  stdin.write(`${JSON.stringify(task)}\n`)
  try {
    const { timedOut, complaint: errorOutput } = await confinement.run(
      {
        argv: [...limits.prefix, process.execPath, `--max-old-space-size=${limits.heapMegabytes}`, programPath],
        readable: [...readable, process.execPath, ...(task.ffmpeg === undefined ? [] : [task.ffmpeg])],
        folder,
      },
      { stdin, timeoutMs: limits.timeoutMs, maxOutputBytes, onBytes: reports.read, ...(signal && { signal }) },
    )
    const last = reports.last()
    if (last.made !== undefined || last.heard !== undefined) return last
    if (timedOut) throw new RenderRefusedError(limits.timeoutMessage)
    if (last.refused !== undefined) throw new RenderRefusedError(last.refused)
    throw new Error(`the media program failed: ${(last.failed ?? errorOutput.trim()).slice(0, 2000)}`)
  } finally {
    stdin.destroy()
  }
}

function createReportReader(onLog?: (message: string) => void) {
  let [rest, logs] = ['', 0]
  let last: MediaReport = {}
  return {
    // `maxOutputBytes` also limits the length of a line.
    read: (bytes: Buffer): void => {
      const lines = (rest + bytes.toString('utf8')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const report = parseReport(line)
        if (report?.log === undefined) last = report ?? last
        else if (logs++ < maxLogs) onLog?.(report.log)
      }
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
