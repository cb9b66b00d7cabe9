import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFaults, readTranscript, shownText, type Transcript } from '../world/transcript.ts'
import { createWorld, type World } from '../world/world.ts'
import { createChatApi, repeatedWords, type OpenChat } from './chat-api.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld({ settings: { LOCAL_MODEL_WORDS_PER_SECOND: '150' } })
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

/** Creates a random number generator. The test title contains the seed. */
const createRandom = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32
  return seed / 2 ** 32
}

/** Maximum number of frames that a connection delivers before the reader closes it. */
const maxPieceFrames = 10

/** Reads an active run through many connections, each closed after a random number of frames. */
const readInPieces = async (chat: OpenChat, first: Response, random: () => number): Promise<Transcript> => {
  const whole: Transcript = { frames: [], heartbeats: 0, done: false }
  let response = first
  while (!whole.done) {
    const frameCount = 1 + Math.floor(random() * maxPieceFrames)
    const piece = await readTranscript(response, ({ frames }) => frames.length >= frameCount)
    whole.frames.push(...piece.frames)
    whole.done = piece.done
    if (whole.done) break
    response = await chatApi.resume(chat, whole.frames.at(-1)?.index)
    // 204 means that the run ended while no reader was connected; the rest is in the stored message.
    if (response.status === 204) break
  }
  return whole
}

test.each([11, 12, 13])(
  'a stream cut at random points is resumed without gaps, repetitions or changed bytes (seed %i)',
  async (seed) => {
    const chat = await chatApi.openChatWithoutCommands()
    const response = await chatApi.post(chat, '@words 200')
    const [watched, pieces] = await Promise.all([
      chatApi.resume(chat).then((other) => readTranscript(other)),
      readInPieces(chat, response, createRandom(seed)),
    ])
    expect(listFaults(watched)).toEqual([])
    expect(shownText(watched)).toBe(repeatedWords(200))
    expect(pieces.frames).toEqual(watched.frames.slice(0, pieces.frames.length))
    // A slow machine produces few pieces, because words that wait for one write form one frame.
    expect(pieces.frames.length).toBeGreaterThan(maxPieceFrames)
  },
)

test('a disconnect never stops a run', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, '@words 60')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  await readTranscript(response, ({ frames }) => frames.length >= 4)
  const rest = await readTranscript(await chatApi.resume(chat))
  expect(rest.done).toBe(true)
  expect(await chatApi.runStatus(chat.account, runId)).toBe('completed')
})

test('readers of one run receive the same bytes from any start index', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, '@words 80')
  const starts = [0, 1, 5, 17, 40]
  const readers = await Promise.all(
    starts.map(async (startIndex) => {
      const path = `/api/chat/${chat.chatId}/stream?startIndex=${startIndex}`
      return readTranscript(await world.fetch('GET', path, { key: chat.account.key }))
    }),
  )
  const whole = await readTranscript(response)
  expect(listFaults(whole)).toEqual([])
  for (const [index, reader] of readers.entries()) {
    expect(reader.done).toBe(true)
    expect(reader.frames).toEqual(whole.frames.slice(starts[index]))
  }
})

test('the response headers name the run and its last frame, and a start index beyond the end returns only [DONE]', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, '@words 20')
  const path = `/api/chat/${chat.chatId}/stream?startIndex=100000`
  const afterEnd = await world.fetch('GET', path, { key: chat.account.key })
  expect(afterEnd.status).toBe(200)
  expect(afterEnd.headers.get('x-workflow-run-id')).toBe(response.headers.get('x-workflow-run-id'))
  expect(Number(afterEnd.headers.get('x-workflow-stream-tail-index'))).toBeGreaterThanOrEqual(0)
  expect(await readTranscript(afterEnd)).toEqual({ frames: [], heartbeats: 0, done: true })
  await response.body?.cancel()
})

test('Last-Event-ID takes precedence over startIndex', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, '@words 40')
  const path = `/api/chat/${chat.chatId}/stream?startIndex=0`
  const resumed = await world.fetch('GET', path, { key: chat.account.key, headers: { 'last-event-id': '6' } })
  const transcript = await readTranscript(resumed)
  expect(transcript.frames[0]?.index).toBe(7)
  await response.body?.cancel()
})

test('a resume returns 204 without an active run, including for a chat that never had a run', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  expect((await chatApi.resume(chat)).status).toBe(204)
  await chatApi.send(chat, '@say hi')
  const after = await chatApi.resume(chat)
  expect(after.status).toBe(204)
  expect(await after.text()).toBe('')
})

test('a resume releases the slot of an ended run and returns 204', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, '@say hi')
  await readTranscript(response)
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  await world.db`update chats set active_stream_id = ${runId} where id = ${chat.chatId}`
  expect((await chatApi.resume(chat)).status).toBe(204)
  expect((await chatApi.load(chat)).chat.activeStreamId).toBeNull()
})

test('a resume returns 502 if the run in the slot cannot be read', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  await world.db`update chats set active_stream_id = 'wrun_gone' where id = ${chat.chatId}`
  const response = await chatApi.resume(chat)
  expect(response.status).toBe(502)
  expect(await response.json()).toEqual({ status: 'error', error: 'Run status could not be read' })
  const send = await chatApi.post(chat, 'hello')
  expect(send.status).toBe(503)
  expect(send.headers.get('retry-after')).toBe('1')
  await send.body?.cancel()
})

test('a resume rejects invalid input and other accounts', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const outsider = await world.makeAccount()
  const sendRequest = async (path: string, key: string, headers: Record<string, string> = {}) => {
    const response = await world.fetch('GET', path, { key, headers })
    const body = (await response.json()) as { error: string; missing_fields?: unknown }
    return [response.status, body.error, body.missing_fields]
  }
  const { key } = chat.account
  const stream = `/api/chat/${chat.chatId}/stream`
  expect(await sendRequest('/api/chat/nonsense/stream', key)).toEqual([400, 'chatId must be a UUID', []])
  expect(await sendRequest(`${stream}?startIndex=-1`, key)).toMatchObject([400, expect.anything(), ['startIndex']])
  expect(await sendRequest(`${stream}?startIndex=1e3`, key)).toMatchObject([400, expect.anything(), ['startIndex']])
  expect(await sendRequest(stream, key, { 'last-event-id': 'abc' })).toMatchObject([
    400,
    expect.anything(),
    ['Last-Event-ID'],
  ])
  expect(await sendRequest(`/api/chat/${randomUUID()}/stream`, key)).toEqual([404, 'Chat not found', undefined])
  expect(await sendRequest(stream, outsider.key)).toEqual([403, 'Forbidden', undefined])
  expect(await sendRequest(`${stream}?account_id=${chat.account.id}`, outsider.key)).toMatchObject([
    403,
    'Access denied to this account',
    undefined,
  ])
})

test('a colleague reads the stream of an account with its account_id', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const colleague = await world.makeAccount()
  await world.makeOrganization({ members: [chat.account.id, colleague.id] })
  const response = await chatApi.post(chat, '@words 30')
  const path = `/api/chat/${chat.chatId}/stream?account_id=${chat.account.id}`
  const watched = await readTranscript(await world.fetch('GET', path, { key: colleague.key }))
  expect(shownText(watched)).toBe(repeatedWords(30))
  await response.body?.cancel()
})

test('a silent stream sends heartbeats', async () => {
  const quickWorld = await createWorld({ settings: { STREAM_HEARTBEAT_MS: '50' } })
  try {
    const quickApi = createChatApi(quickWorld)
    const chat = await quickApi.openChatWithoutCommands()
    const response = await quickApi.post(chat, '@stall')
    const transcript = await readTranscript(response, ({ heartbeats }) => heartbeats >= 3)
    expect(transcript.heartbeats).toBe(3)
    await quickApi.stop(chat)
  } finally {
    await quickWorld.close()
  }
})
