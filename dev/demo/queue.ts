import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CommandRefusedError, print } from '../say.ts'
import { connectDemo, heading } from './client.ts'
import { watch } from './watch.ts'

type Demo = Awaited<ReturnType<typeof connectDemo>>
type ChatIds = { sessionId: string; chatId: string }
type Entry = { id: string; state: string; position: number | null; text: string | null; runId: string | null }
type Queue = { held: boolean; queue: Entry[] }
type Part = { type: string; text?: string; id?: string; data?: { parts?: Part[] } }
type Chat = { messages: { role: string; parts: Part[] }[] }

const pollMs = 100
const work = '$ sleep 6 && echo the poster is drawn'

/**
 * `npm run demo:queue`: queues three messages behind a turn, moves one to the front, steers the turn with another, kills the
 * worker during the first queued turn, and shows that each message is answered exactly once.
 */
export async function main(): Promise<void> {
  const demo = await connectDemo()
  const place = await open(demo)

  heading('The agent works')
  const first = watch(await send(demo, place, work))

  heading('Three messages are sent meanwhile, and wait')
  const waiting = [
    await queue(demo, place, '@say The title is larger now.'),
    await queue(demo, place, '@say The date is added.'),
    await queue(demo, place, `@words 80`),
  ]
  await show(demo, place)

  heading('The last one is moved to the front')
  await demo.json('PATCH', `/api/chat/${place.chatId}/queue/${waiting[2]}`, { position: 1 })
  await show(demo, place)

  heading('One more joins the running turn before its next step')
  const steering = await queue(demo, place, '@say The poster is drawn, in blue as you said meanwhile.', 'steer')
  await first

  heading('The next turn begins, and its worker is killed in the middle')
  const runId = await waitForRun(demo, place, waiting[2] ?? '')
  const answer = await watch(await stream(demo, place, runId), { until: ({ frames }) => frames === 20 })
  const killed = await killWorker(demo)
  print(`\n  [kill -9 of the worker, process ${killed}, after frame ${answer.lastIndex}]\n`)
  await watch(await stream(demo, place, runId, answer.lastIndex))

  heading('The other two follow, in their order')
  for (const id of waiting.slice(0, 2)) await watch(await stream(demo, place, await waitForRun(demo, place, id)))

  heading('What the chat has in the end')
  const { messages } = await demo.json<Chat>('GET', `/api/sessions/${place.sessionId}/chats/${place.chatId}`)
  for (const { role, parts } of messages)
    for (const part of parts) if (part.type === 'text' || part.type === 'data-steer') print(`  ${line(role, part)}`)
  requireOnce(messages, steering)
  print('\n  Each message is answered once.')
}

async function open({ json }: Demo): Promise<ChatIds> {
  const { session, chat } = await json<Record<'session' | 'chat', { id: string }>>('POST', '/api/sessions', {})
  await json('POST', '/api/sandbox', { sessionId: session.id })
  return { sessionId: session.id, chatId: chat.id }
}

function send({ send }: Demo, place: ChatIds, content: string, onBusy?: string): Promise<Response> {
  const messages = [{ id: randomUUID(), role: 'user', content }]
  return send('POST', '/api/chat', { ...place, messages, ...(onBusy !== undefined && { onBusy }) })
}

async function queue(demo: Demo, place: ChatIds, content: string, onBusy = 'queue'): Promise<string> {
  const answer = await send(demo, place, content, onBusy)
  if (answer.status !== 202) throw new CommandRefusedError(`The message did not wait: ${answer.status}`)
  const { queued } = (await answer.json()) as { queued: { id: string; position: number } }
  print(`  202 ${JSON.stringify({ queued })}`)
  return queued.id
}

async function show({ json }: Demo, { chatId }: ChatIds): Promise<void> {
  const { queue } = await json<Queue>('GET', `/api/chat/${chatId}/queue`)
  for (const { position, text } of queue) print(`  ${position}. ${text}`)
}

/** Waits until a queued message has a run and returns it. */
async function waitForRun({ json }: Demo, { chatId }: ChatIds, id: string): Promise<string> {
  for (;;) {
    const { runId, state } = await json<Entry>('GET', `/api/chat/${chatId}/queue/${id}`)
    if (runId !== null) return runId
    if (state !== 'waiting') throw new CommandRefusedError(`A message is ${state} and has no run.`)
    await pause(pollMs)
  }
}

function stream({ send }: Demo, { chatId }: ChatIds, runId: string, after?: number): Promise<Response> {
  const headers: Record<string, string> = after === undefined ? {} : { 'last-event-id': String(after) }
  return send('GET', `/api/chat/${chatId}/stream?runId=${runId}`, undefined, headers)
}

/** Kills the worker of the running Backline; its supervisor starts another one. */
async function killWorker({ pids }: Demo): Promise<number> {
  const { worker } = await pids()
  if (worker === null) throw new CommandRefusedError('The worker is just being started: try again.')
  process.kill(worker, 'SIGKILL')
  return worker
}

function line(role: string, { type, text, data }: Part): string {
  const joined = type === 'data-steer'
  const shown = (joined ? data?.parts?.[0]?.text : text) ?? ''
  return `${(joined ? '+ user' : role).padEnd(9)} ${shown.length > 90 ? `${shown.slice(0, 89)}…` : shown}`
}

function requireOnce(messages: Chat['messages'], steering: string): void {
  const texts = messages.flatMap(({ role, parts }) => (role === 'user' ? parts.map(({ text = '' }) => text) : []))
  const wanted = [work, '@words 80', '@say The title is larger now.', '@say The date is added.']
  const joined = messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'data-steer').map(({ id }) => id))
  const alternate = messages.every(({ role }, at) => role === (at % 2 === 0 ? 'user' : 'assistant'))
  if (JSON.stringify([texts, joined]) !== JSON.stringify([wanted, [steering]]) || !alternate)
    throw new CommandRefusedError('A message was lost, repeated or reordered: this is a defect, please report it.')
}
