import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CommandRefusedError, print } from '../say.ts'
import { connectDemo, download, printHeading } from './client.ts'

type Demo = Awaited<ReturnType<typeof connectDemo>>
type GenerationResponse = {
  generation: { id: string; status: string; audio_url: string | null; error_message: string | null }
  logs: { message: string }[]
}

const pollIntervalMs = 200
const barWidth = 40
/** Progress in percent, by log message of the renderer. */
const steps: readonly [RegExp, number][] = [
  [/^Mastered/, 95],
  [/^Played 75 %/, 75],
  [/^Played 50 %/, 55],
  [/^Played 25 %/, 35],
  [/^Composed/, 15],
]

/** `npm run demo:music [seconds]`: creates a track and prints its URL. */
export async function main(args: string[] = []): Promise<void> {
  const demo = await connectDemo()
  const duration = Number(args[0] ?? 30)
  printHeading(`A track of ${duration} seconds`)
  const { generation } = await demo.json<GenerationResponse>('POST', '/api/music', {
    prompt: 'warm house with a piano, 122 bpm',
    lyrics: 'Hold the line until the morning\nWe are still awake',
    duration,
  })
  const { audio_url: url } = await follow(demo, generation.id)
  const path = join(tmpdir(), `backline-${generation.id}.mp3`)
  await download(url ?? '', path)
  print(`  file: ${path}`)
  print(`  URL: ${url}`)
}

/** Estimates the progress of a track in percent. */
function estimatePercent({ generation, logs }: GenerationResponse): number {
  if (generation.status === 'completed') return 100
  for (const [pattern, percent] of steps) if (logs.some(({ message }) => pattern.test(message))) return percent
  return generation.status === 'processing' ? 5 : 0
}

/** Prints the progress bar whenever it grows. Returns the finished generation. */
async function follow({ json }: Demo, id: string): Promise<GenerationResponse['generation']> {
  let lastPercent = -1
  for (;;) {
    const current = await json<GenerationResponse>('GET', `/api/music/${id}`)
    const percent = estimatePercent(current)
    if (percent > lastPercent)
      print(`  ${drawBar(percent)} ${current.logs.at(-1)?.message ?? current.generation.status}`)
    lastPercent = Math.max(lastPercent, percent)
    if (current.generation.status === 'completed') return current.generation
    if (current.generation.status === 'failed')
      throw new CommandRefusedError(current.generation.error_message ?? 'The generation failed.')
    await pause(pollIntervalMs)
  }
}

function drawBar(percent: number): string {
  const filled = Math.round((percent / 100) * barWidth)
  return `${'█'.repeat(filled)}${'·'.repeat(barWidth - filled)} ${String(percent).padStart(3)} %`
}
