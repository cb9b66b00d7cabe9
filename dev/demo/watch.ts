import { print } from '../say.ts'

type Reading = { lastIndex: number; frames: number; text: string; ended: boolean }

/** Prints a stream until it ends, or disconnects when `until` returns true. */
export async function watch(
  response: Response,
  { until }: { until: (reading: Reading) => boolean } = { until: () => false },
): Promise<Reading> {
  const reading: Reading = { lastIndex: -1, frames: 0, text: '', ended: false }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return reading
    const events = (rest + value).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      if (event === 'data: [DONE]') reading.ended = true
      const match = /^id: (\d+)\ndata: (.*)$/.exec(event)
      if (match === null) continue
      reading.lastIndex = Number(match[1])
      const frame = JSON.parse(match[2] ?? '{}') as Record<string, unknown>
      if (frame['type'] === 'text-delta') reading.text += String(frame['delta'])
      printFrame(frame)
      reading.frames++
      if (!until(reading)) continue
      await reader?.cancel()
      return reading
    }
  }
}

function printFrame(frame: Record<string, unknown>): void {
  if (frame['type'] === 'text-delta') process.stdout.write(String(frame['delta']))
  else if (frame['type'] === 'tool-input-available')
    print(`  [tool ${String(frame['toolName'])}] ${JSON.stringify(frame['input'])}`)
  else if (frame['type'] === 'tool-output-available') print(`  [result] ${JSON.stringify(frame['output'])}`)
  else if (frame['type'] === 'data-steer') print('  [a message joins the turn]')
  else if (frame['type'] === 'data-retract') print('\n  [the partial text of the killed worker is retracted]')
  else if (frame['type'] === 'finish') print(`\n  [finish: ${String(frame['finishReason'])}]`)
}
