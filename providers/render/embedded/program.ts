import { createInterface } from 'node:readline'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { RenderReport, RenderTask, RenderedMedia } from './child.ts'
import { renderMusic } from './music/render.ts'
import { RenderRefusal } from './refusal.ts'

// A process of its own, started by child.ts: one task on standard input, one report a line on standard output. A thread
// renders, so that the process hears at once that nobody waits for it any more.
function report(line: RenderReport): void {
  return parentPort?.postMessage(line, [])
}

async function render(task: RenderTask): Promise<RenderedMedia> {
  const tools = { ffmpeg: task.ffmpeg, folder: task.folder, log: (message: string) => report({ log: message }) }
  if (task.kind === 'music') return renderMusic(task.request, tools)
  // Large: loaded where it is used.
  return (await import('./video/render.ts')).renderVideo(task.job, tools)
}

async function runInThread(task: RenderTask): Promise<void> {
  try {
    report({ done: await render(task) })
  } catch (error) {
    if (error instanceof RenderRefusal) report({ refused: error.message })
    else report({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

function write(line: RenderReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

function startThread(task: RenderTask): void {
  const thread = new Worker(process.argv[1] ?? '', { workerData: task })
  thread.on('message', write)
  thread.once('error', (error: Error) => write({ failed: error.stack ?? error.message }))
  thread.once('exit', () => process.exit(0))
}

if (isMainThread) {
  const input = createInterface({ input: process.stdin })
  input.once('line', (text) => startThread(JSON.parse(text) as RenderTask))
  // It ends with the encoder that it started.
  input.once('close', () => process.kill(-process.pid, 'SIGKILL'))
} else void runInThread(workerData as RenderTask)
