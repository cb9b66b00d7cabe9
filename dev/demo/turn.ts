import { randomUUID } from 'node:crypto'
import { connectDemo, heading } from './client.ts'
import { Refusal, say } from '../say.ts'

type Reading = { lastIndex: number; text: string; ended: boolean }

/** The walk of the README: session, sandbox, turn, disconnect, resume, stop, headless run. */
export async function main(): Promise<void> {
  const { send, json } = await connectDemo()

  heading('A session owns chats and a sandbox')
  const { session, chat } = await json<{ session: { id: string; title: string }; chat: { id: string } }>(
    'POST',
    '/api/sessions',
    {},
  )
  say(`session ${session.id} "${session.title}", chat ${chat.id}`)

  heading('Its sandbox starts')
  const sandbox = await json<{ mode: string; timing: { readyMs: number } }>('POST', '/api/sandbox', {
    sessionId: session.id,
  })
  say(`mode ${sandbox.mode}, ready in ${sandbox.timing.readyMs} ms`)

  const turn = (content: string) =>
    send('POST', '/api/chat', {
      sessionId: session.id,
      chatId: chat.id,
      messages: [{ id: randomUUID(), role: 'user', content }],
    })

  heading('A turn runs a real command')
  await watch(await turn('$ echo hello from a sandbox && uname -a'))

  heading('A long answer, and the connection is cut in the middle')
  const cut = await watch(await turn('@words 60'), 25)
  say(`\n  [cut after frame ${cut.lastIndex}]`)

  heading(`Resumed with Last-Event-ID: ${cut.lastIndex}`)
  const resumed = await watch(
    await send('GET', `/api/chat/${chat.id}/stream`, undefined, { 'last-event-id': String(cut.lastIndex) }),
  )
  const words = (cut.text + resumed.text).split(' ')
  if (words.length !== 60 || words.some((word, place) => word !== `word-${place + 1}`))
    throw new Refusal('The two halves do not make the whole: this is a defect, please report it.')
  say('  the two halves make 60 words, none missing, none twice')

  heading('Stop')
  const stalled = await turn('@stall')
  const watching = watch(stalled)
  say(`answered: ${await (await send('POST', `/api/chat/${chat.id}/stop`)).text()}`)
  await watching

  heading('A headless run, polled by its id')
  const { runId } = await json<{ runId: string }>('POST', '/api/chat/runs', { prompt: '$ date' })
  for (let status = 'queued'; status === 'queued' || status === 'running';) {
    status = (await json<{ status: string }>('GET', `/api/chat/runs/${runId}`)).status
    say(`${runId} ${status}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  heading('Done')
}

/** Shows a stream until it ends, or cuts the connection after `cutAfter` frames. */
async function watch(response: Response, cutAfter = Number.POSITIVE_INFINITY): Promise<Reading> {
  const reading: Reading = { lastIndex: -1, text: '', ended: false }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let frames = 0
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
      show(frame)
      if (++frames < cutAfter) continue
      await reader?.cancel()
      return reading
    }
  }
}

/** One frame as a line or a word of the terminal. */
function show(frame: Record<string, unknown>): void {
  if (frame['type'] === 'text-delta') process.stdout.write(String(frame['delta']))
  else if (frame['type'] === 'tool-input-available')
    say(`  [tool ${String(frame['toolName'])}] ${JSON.stringify(frame['input'])}`)
  else if (frame['type'] === 'tool-output-available') say(`  [result] ${JSON.stringify(frame['output'])}`)
  else if (frame['type'] === 'finish') say(`\n  [finish: ${String(frame['finishReason'])}]`)
}
