import { createInterface } from 'node:readline'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { MediaReport, MediaTask } from './child.ts'
import { RenderRefusedError } from './refusal.ts'

// Separate process, started by child.ts in the folder of the task. It reads one task from standard input and writes one report
// per line to standard output. A thread renders, so that the main thread detects immediately that the parent has exited.
function report(line: MediaReport): void {
  if (isMainThread) write(line)
  else parentPort?.postMessage(line, [])
}

/** Loads only the modules that the task needs. */
async function run(task: MediaTask): Promise<void> {
  const tools = { folder: '.', log: (log: string) => report({ log }) }
  try {
    if (task.kind === 'levels')
      report({ heard: await (await import('./video/song.ts')).measureLevels(task.ffmpeg, task.song) })
    else if (task.kind === 'music') {
      const { renderMusic } = await import('./music/render.ts')
      report({ made: await renderMusic(task.request, { ...tools, ffmpeg: task.ffmpeg }) })
    } else {
      const { renderVideo } = await import('./video/render.ts')
      report({ made: await renderVideo(task.job, { ...tools, ffmpeg: task.ffmpeg }) })
    }
  } catch (error) {
    if (error instanceof RenderRefusedError) report({ refused: error.message })
    else report({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

function write(line: MediaReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

function start(task: MediaTask): void {
  if (task.kind === 'levels') {
    void run(task).then(() => process.exit(0))
    return
  }
  const thread = new Worker(process.argv[1] ?? '', { env: {}, workerData: task })
  thread.on('message', write)
  thread.once('error', (error: Error) => write({ failed: error.stack ?? error.message }))
  thread.once('exit', () => process.exit(0))
}

if (isMainThread) {
  const input = createInterface({ input: process.stdin })
  input.once('line', (text) => start(JSON.parse(text) as MediaTask))
  // The group signal also ends the encoder.
  input.once('close', () => process.kill(-process.pid, 'SIGKILL'))
} else void run(workerData as MediaTask)
