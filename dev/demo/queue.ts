import { randomUUID } from 'node:crypto'
import { CommandRefusedError, print } from '../say.ts'
import { connectDemo, poll, printHeading, type Demo } from './client.ts'
import { watch } from './watch.ts'

type ChatIds = { sessionId: string; chatId: string }
type Entry = { id: string; state: string; position: number | null; text: string | null; runId: string | null }
type Queue = { held: boolean; queue: Entry[] }
type Part = { type: string; text?: string; id?: string; data?: { parts?: Part[] } }
type Chat = { messages: { role: string; parts: Part[] }[] }

const work = '$ sleep 6 && echo the poster is drawn'

/**
 * `npm run demo:queue`: queues three messages behind a turn, moves one to the front, steers the turn with another, kills the
 * worker during the first queued turn, and shows that each message is answered exactly once.
 */
export async function main(): Promise<void> {
  const demo = await connectDemo()
  const ids = await createChat(demo)

  printHeading('The agent works')
  const first = watch(await send(demo, ids, work))

  printHeading('Three more messages are queued')
  const waiting = [
    await queue(demo, ids, '@say The title is larger now.'),
    await queue(demo, ids, '@say The date is added.'),
    await queue(demo, ids, `@words 80`),
  ]
  await printQueue(demo, ids)

  printHeading('The last message is moved to the front')
  await demo.json('PATCH', `/api/chat/${ids.chatId}/queue/${waiting[2]}`, { position: 1 })
  await printQueue(demo, ids)

  printHeading('Another message joins the running turn before its next step')
  const steering = await queue(demo, ids, '@say The poster is drawn, in blue as you said meanwhile.', 'steer')
  await first

  printHeading('The next turn starts, and its worker is killed')
  const runId = await waitForRun(demo, ids, waiting[2] ?? '')
  const reading = await watch(await stream(demo, ids, runId), { until: ({ frames }) => frames === 20 })
  const workerPid = await killWorker(demo)
  print(`\n  [kill -9 of the worker, process ${workerPid}, after frame ${reading.lastIndex}]\n`)
  await watch(await stream(demo, ids, runId, reading.lastIndex))

  printHeading('The other two messages follow in order')
  for (const id of waiting.slice(0, 2)) await watch(await stream(demo, ids, await waitForRun(demo, ids, id)))

  printHeading('The chat at the end')
  const { messages } = await demo.json<Chat>('GET', `/api/sessions/${ids.sessionId}/chats/${ids.chatId}`)
  for (const { role, parts } of messages)
    for (const part of parts)
      if (part.type === 'text' || part.type === 'data-steer') print(`  ${formatPart(role, part)}`)
  requireOnce(messages, steering)
  print('\n  Each message was answered once.')
}

async function createChat({ json }: Demo): Promise<ChatIds> {
  const { session, chat } = await json<Record<'session' | 'chat', { id: string }>>('POST', '/api/sessions', {})
  await json('POST', '/api/sandbox', { sessionId: session.id })
  return { sessionId: session.id, chatId: chat.id }
}

function send({ send }: Demo, ids: ChatIds, content: string, onBusy?: string): Promise<Response> {
  const messages = [{ id: randomUUID(), role: 'user', content }]
  return send('POST', '/api/chat', { ...ids, messages, ...(onBusy !== undefined && { onBusy }) })
}

async function queue(demo: Demo, ids: ChatIds, content: string, onBusy = 'queue'): Promise<string> {
  const response = await send(demo, ids, content, onBusy)
  if (response.status !== 202) throw new CommandRefusedError(`The message was not queued: ${response.status}`)
  const { queued } = (await response.json()) as { queued: { id: string; position: number } }
  print(`  202 ${JSON.stringify({ queued })}`)
  return queued.id
}

async function printQueue({ json }: Demo, { chatId }: ChatIds): Promise<void> {
  const { queue } = await json<Queue>('GET', `/api/chat/${chatId}/queue`)
  for (const { position, text } of queue) print(`  ${position}. ${text}`)
}

/** Waits until a queued message has a run and returns the id of the run. */
function waitForRun({ json }: Demo, { chatId }: ChatIds, id: string): Promise<string> {
  return poll(async () => {
    const { runId, state } = await json<Entry>('GET', `/api/chat/${chatId}/queue/${id}`)
    if (runId === null && state !== 'waiting') throw new CommandRefusedError(`The message is ${state} without a run.`)
    return runId ?? undefined
  })
}

function stream({ send }: Demo, { chatId }: ChatIds, runId: string, after?: number): Promise<Response> {
  const headers: Record<string, string> = after === undefined ? {} : { 'last-event-id': String(after) }
  return send('GET', `/api/chat/${chatId}/stream?runId=${runId}`, undefined, headers)
}

/** Kills the worker of the running Backline. The supervisor starts another worker. */
async function killWorker({ pids }: Demo): Promise<number> {
  const { worker } = await pids()
  if (worker === null) throw new CommandRefusedError('The worker is starting: try again.')
  process.kill(worker, 'SIGKILL')
  return worker
}

function formatPart(role: string, { type, text, data }: Part): string {
  const isSteering = type === 'data-steer'
  const displayedText = (isSteering ? data?.parts?.[0]?.text : text) ?? ''
  return `${(isSteering ? '+ user' : role).padEnd(9)} ${displayedText.length > 90 ? `${displayedText.slice(0, 89)}…` : displayedText}`
}

function requireOnce(messages: Chat['messages'], steering: string): void {
  const texts = messages.flatMap(({ role, parts }) => (role === 'user' ? parts.map(({ text = '' }) => text) : []))
  const expected = [work, '@words 80', '@say The title is larger now.', '@say The date is added.']
  const steeringIds = messages.flatMap(({ parts }) =>
    parts.filter(({ type }) => type === 'data-steer').map(({ id }) => id),
  )
  const rolesAlternate = messages.every(({ role }, index) => role === (index % 2 === 0 ? 'user' : 'assistant'))
  if (JSON.stringify([texts, steeringIds]) !== JSON.stringify([expected, [steering]]) || !rolesAlternate)
    throw new CommandRefusedError('A message was lost, repeated or reordered: please report this bug.')
}
