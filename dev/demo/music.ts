import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandRefusedError, print } from '../say.ts'
import { connectDemo, download, poll, printHeading, type Demo } from './client.ts'

type GenerationResponse = {
  generation: { id: string; status: string; audio_url: string | null; error_message: string | null }
  logs: { message: string }[]
}

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
function follow({ json }: Demo, id: string): Promise<GenerationResponse['generation']> {
  let lastPercent = -1
  return poll(async () => {
    const current = await json<GenerationResponse>('GET', `/api/music/${id}`)
    const { status, error_message: error } = current.generation
    const percent = estimatePercent(current)
    if (percent > lastPercent) print(`  ${drawBar(percent)} ${current.logs.at(-1)?.message ?? status}`)
    lastPercent = Math.max(lastPercent, percent)
    if (status === 'failed') throw new CommandRefusedError(error ?? 'The generation failed.')
    return status === 'completed' ? current.generation : undefined
  })
}

function drawBar(percent: number): string {
  const filled = Math.round((percent / 100) * barWidth)
  return `${'█'.repeat(filled)}${'·'.repeat(barWidth - filled)} ${String(percent).padStart(3)} %`
}
