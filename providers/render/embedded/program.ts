import { createInterface } from 'node:readline'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { MediaReport, MediaTask } from './child.ts'
import { RenderRefusedError } from './refusal.ts'

// A process of its own, started by child.ts in the folder of its files: one task on standard input, one report a line on
// standard output. A thread renders, so that the process hears immediately that its parent is gone; to listen, it waits for ffmpeg.
function report(line: MediaReport): void {
  if (isMainThread) write(line)
  else parentPort?.postMessage(line, [])
}

/** Each part is loaded where it is used. */
async function work(task: MediaTask): Promise<MediaReport> {
  if (task.kind === 'levels')
    return { heard: await (await import('./video/song.ts')).measureLevels(task.ffmpeg, task.song) }
  const own = { folder: '.', log: (message: string) => report({ log: message }) }
  if (task.kind === 'music') {
    const { renderMusic } = await import('./music/render.ts')
    return { made: await renderMusic(task.request, { ...own, ffmpeg: task.ffmpeg }) }
  }
  const { renderVideo } = await import('./video/render.ts')
  return { made: await renderVideo(task.job, { ...own, ffmpeg: task.ffmpeg }) }
}

async function run(task: MediaTask): Promise<void> {
  try {
    report(await work(task))
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
  // It ends with the encoder that it started.
  input.once('close', () => process.kill(-process.pid, 'SIGKILL'))
} else void run(workerData as MediaTask)
