import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { MusicRequest } from './music/request.ts'
import { RenderRefusal } from './refusal.ts'
import type { VideoJob } from './video/render.ts'

const programFile = import.meta.url.endsWith('.ts') ? './program.mjs' : './render-program.js'
const programPath = fileURLToPath(new URL(programFile, import.meta.url))

type Place = { ffmpeg: string; folder: string }
export type RenderTask = Place & ({ kind: 'music'; request: MusicRequest } | { kind: 'video'; job: VideoJob })
export type RenderedMedia = { path: string; contentType: string; durationSeconds: number }
/** A line of the program. */
export type RenderReport = { log: string } | { done: RenderedMedia } | { refused: string } | { failed: string }

export type RenderLimits = {
  timeoutMs: number
  heapMegabytes: number
}

/** Whatever else this machine does comes first: as the scheduler of Linux has it for idle work, else by the lowest priority. */
const whenIdle = 'chrt --idle 0 true 2>/dev/null && exec chrt --idle 0 "$@"; exec nice -n 19 "$@"'

/** It needs none of our settings, and none of our secrets reaches a library that reads files of others. */
const environment = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' }

/** Renders in a process of its own, at low priority, which is killed when its time is over or when we are gone. */
export async function runRender(
  task: RenderTask,
  { timeoutMs, heapMegabytes }: RenderLimits,
  { onLog, signal }: { onLog: (message: string) => void; signal: AbortSignal },
): Promise<RenderedMedia> {
  signal.throwIfAborted()
  const command = [process.execPath, `--max-old-space-size=${heapMegabytes}`, programPath]
  const child = spawn('sh', ['-c', whenIdle, 'sh', ...command], {
    detached: true,
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const kill = (): void => killGroup(child.pid)
  const inTime = AbortSignal.timeout(timeoutMs)
  const over = AbortSignal.any([signal, inTime])
  over.addEventListener('abort', kill, { once: true })
  let last: RenderReport | undefined
  createInterface({ input: child.stdout }).on('line', (line) => {
    const report = JSON.parse(line) as RenderReport
    if ('log' in report) onLog(report.log)
    else last = report
  })
  // The pipe stays open: its end is how the program learns that we are gone.
  child.stdin.on('error', () => {}).write(`${JSON.stringify(task)}\n`)
  try {
    await once(child, 'close')
  } finally {
    over.removeEventListener('abort', kill)
    kill()
  }
  signal.throwIfAborted()
  if (last !== undefined && 'done' in last) return last.done
  if (inTime.aborted) throw new RenderRefusal('Rendering took too long.')
  if (last !== undefined && 'refused' in last) throw new RenderRefusal(last.refused)
  throw new Error(last !== undefined && 'failed' in last ? last.failed : 'the render program ended without a word')
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
