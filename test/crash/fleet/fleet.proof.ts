import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { repeatedWords, userMessage } from '../../chat/chat-api.ts'
import { makePerson, type Person } from '../../world/people.ts'
import { listTypes, readTranscript, shownText, type Transcript } from '../../world/transcript.ts'
import { eventually } from '../../world/world.ts'
import { startCluster, type Cluster } from '../cluster/cluster.ts'
import { listProcesses } from '../cluster/leftovers.ts'

const wordCount = 120
/** One member of the Temporal server, to spare the processors. */
const fleet = { machines: 3, engine: 'server', members: 1, store: 's3' } as const

let cluster: Cluster
let folder: string
let person: Person
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-fleet-'))
  const settings = { LOCAL_MODEL_WORDS_PER_SECOND: '40' }
  cluster = await startCluster({ ...fleet, folder, settings, built: inject('built') })
  person = await makePerson(cluster.db, cluster.serverSecret, { credits: 1_000_000 })
})
afterAll(async () => {
  expect(await cluster.close()).toEqual([])
  expect(listProcesses(folder)).toEqual([])
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
})

type Chat = { sessionId: string; chatId: string }

const sendRequest = (
  method: string,
  path: string,
  options: { body?: object; headers?: Record<string, string>; url?: string | undefined } = {},
): Promise<Response> =>
  fetch(`${options.url ?? cluster.frontUrl}${path}`, {
    method,
    headers: { 'x-api-key': person.key, 'content-type': 'application/json', ...options.headers },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  })

const openChat = async (): Promise<Chat> => {
  const created = await sendRequest('POST', '/api/sessions', { body: {} })
  const { session, chat } = (await created.json()) as { session: { id: string }; chat: { id: string } }
  const ready = await sendRequest('POST', '/api/sandbox', { body: { sessionId: session.id } })
  expect(ready.status, await ready.text()).toBe(200)
  return { sessionId: session.id, chatId: chat.id }
}

const send = async ({ sessionId, chatId }: Chat, text: string, url?: string): Promise<Response> => {
  const response = await sendRequest('POST', '/api/chat', {
    body: { sessionId, chatId, messages: [userMessage(text)] },
    url,
  })
  expect(response.status).toBe(200)
  return response
}

const resume = (chat: Chat, { frames }: Transcript, url?: string): Promise<Response> => {
  const headers = { 'last-event-id': String(frames.at(-1)?.index ?? -1) }
  return sendRequest('GET', `/api/chat/${chat.chatId}/stream`, { headers, url })
}

/** Reads a stream to its end, and resumes it through the load balancer after each cut. */
const readOn = async (chat: Chat, read: Transcript): Promise<Transcript> => {
  let whole = read
  while (!whole.done) {
    const next = await readTranscript(await resume(chat, whole))
    whole = { ...next, frames: [...whole.frames, ...next.frames] }
  }
  return whole
}

/** The machine whose worker writes the log of the run. */
const findMachine = async (runId: string): Promise<number | undefined> => {
  const [head] = await cluster.db<{ holder: number | null }[]>`
    select holder from stream_head where run_id = ${runId}`
  for (const part of cluster.workers()) {
    const sessions = await cluster.backends(part)
    if (sessions.some(({ name }) => name === `backline lock ${head?.holder}`)) return Number(part.split('-')[1])
  }
  return undefined
}

const expectWhole = (transcript: Transcript): void => {
  expect(transcript.done).toBe(true)
  expect(listTypes(transcript).at(-1)).toBe('finish')
  expect(transcript.frames.map(({ index }) => index)).toEqual(transcript.frames.map((_, place) => place))
}

test('a turn through the load balancer runs a command, and its stream has no gap', async () => {
  const chat = await openChat()
  const transcript = await readTranscript(await send(chat, '$ echo one > file; cat file'))
  expectWhole(transcript)
  expect(listTypes(transcript)).toContain('tool-output-available')
})

test('a stream that is cut at one API resumes at another without a gap', async () => {
  const chat = await openChat()
  const [first, second] = cluster.apiUrls()
  const cut = await readTranscript(await send(chat, `@words ${wordCount}`, first), ({ frames }) => frames.length === 20)
  const rest = await readTranscript(await resume(chat, cut, second))
  const whole = { ...rest, frames: [...cut.frames, ...rest.frames] }
  expectWhole(whole)
  expect(shownText(whole)).toBe(repeatedWords(wordCount))
})

test('a turn goes on when the machine that executes it is lost, and that machine comes back', async () => {
  const chat = await openChat()
  const response = await send(chat, `@words ${wordCount}`)
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const begun = await readTranscript(response, ({ frames }) => frames.length === 20)
  const machine = await eventually('the machine of the run', () => findMachine(runId))
  const reading = readOn(chat, begun)
  try {
    const [whole] = await Promise.all([reading, cluster.machines.lose(machine)])
    expectWhole(whole)
    expect(shownText(whole)).toBe(repeatedWords(wordCount))
  } finally {
    await cluster.machines.bringBack(machine)
  }
  await cluster.whole()
})
