import { randomUUID } from 'node:crypto'
import { connectDemo, poll, printHeading } from './client.ts'
import { CommandRefusedError, print } from '../say.ts'
import { watch } from './watch.ts'

/**
 * `npm run demo`: the walkthrough of the README with a session, a sandbox, a turn, a disconnect, a resume, a stop and a
 * headless run.
 */
export async function main(): Promise<void> {
  const { send, json } = await connectDemo()

  printHeading('A session owns chats and a sandbox')
  const { session, chat } = await json<{ session: { id: string; title: string }; chat: { id: string } }>(
    'POST',
    '/api/sessions',
    {},
  )
  print(`session ${session.id} "${session.title}", chat ${chat.id}`)

  printHeading('Its sandbox starts')
  const sandbox = await json<{ mode: string; timing: { readyMs: number } }>('POST', '/api/sandbox', {
    sessionId: session.id,
  })
  print(`mode ${sandbox.mode}, ready in ${sandbox.timing.readyMs} ms`)

  const turn = (content: string) =>
    send('POST', '/api/chat', {
      sessionId: session.id,
      chatId: chat.id,
      messages: [{ id: randomUUID(), role: 'user', content }],
    })

  printHeading('A turn runs a real command')
  await watch(await turn('$ echo hello from a sandbox && uname -a'))

  printHeading('A long answer, during which the connection is closed')
  const firstHalf = await watch(await turn('@words 60'), { until: ({ frames }) => frames === 25 })
  print(`\n  [closed after frame ${firstHalf.lastIndex}]`)

  printHeading(`Resumed with Last-Event-ID: ${firstHalf.lastIndex}`)
  const secondHalf = await watch(
    await send('GET', `/api/chat/${chat.id}/stream`, undefined, { 'last-event-id': String(firstHalf.lastIndex) }),
  )
  const words = (firstHalf.text + secondHalf.text).split(' ')
  if (words.length !== 60 || words.some((word, index) => word !== `word-${index + 1}`))
    throw new CommandRefusedError('Words are missing or repeated after the resume: please report this bug.')
  print('  both parts together have 60 words, none missing, none repeated')

  printHeading('Stop')
  const stalledResponse = await turn('@stall')
  const watching = watch(stalledResponse)
  print(`response: ${await (await send('POST', `/api/chat/${chat.id}/stop`)).text()}`)
  await watching

  printHeading('A headless run, polled by its id')
  const { runId } = await json<{ runId: string }>('POST', '/api/chat/runs', { prompt: '$ date' })
  await poll(async () => {
    const { status } = await json<{ status: string }>('GET', `/api/chat/runs/${runId}`)
    print(`${runId} ${status}`)
    return (status !== 'queued' && status !== 'running') || undefined
  })
  printHeading('Done')
}
