import { constants, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import type { RenderReport, RenderTask, RenderedMedia } from './child.ts'
import { renderMusic } from './music/render.ts'
import { RenderRefusal } from './refusal.ts'

// A process of its own, started by child.ts: one task on standard input, one report a line on standard output.

const report = (line: RenderReport): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const render = async (task: RenderTask): Promise<RenderedMedia> => {
  const tools = { ffmpeg: task.ffmpeg, folder: task.folder, log: (message: string) => report({ log: message }) }
  if (task.kind === 'music') return renderMusic(task.request, tools)
  // Large: loaded where it is used.
  return (await import('./video/render.ts')).renderVideo(task.job, tools)
}

const run = async (text: string): Promise<void> => {
  try {
    report({ done: await render(JSON.parse(text) as RenderTask) })
  } catch (error) {
    if (error instanceof RenderRefusal) report({ refused: error.message })
    else report({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
  process.exit(0)
}

// Whatever else this machine does comes first.
setPriority(constants.priority.PRIORITY_LOW)
const input = createInterface({ input: process.stdin })
input.once('line', (text) => void run(text))
// Nobody waits for it any more: it ends with the encoder that it started.
input.once('close', () => process.kill(-process.pid, 'SIGKILL'))
