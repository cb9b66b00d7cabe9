import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readUIMessageStream, type UIMessageChunk } from 'ai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  listFaults,
  listFrames,
  readTranscript,
  shownText,
  listTypes,
  type Transcript,
} from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { repeatedWords, type OpenChat } from '../chat-api.ts'
import { createQueueApi } from './queue-api.ts'

let world: World
let api: ReturnType<typeof createQueueApi>
beforeAll(async () => {
  world = await createWorld({ settings: { LOCAL_MODEL_WORDS_PER_SECOND: '100' } })
  api = createQueueApi(world)
})
afterAll(() => world.close())

type GatedTurn = { chat: OpenChat; runId: string; reading: Promise<Transcript>; open: () => Promise<void> }

/** Starts a turn whose command waits until `open` is called. */
const startGatedTurn = async (chat: OpenChat): Promise<GatedTurn> => {
  const response = await api.post(chat, '$ until [ -e go ]; do sleep 0.05; done; rm go')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await eventually('the command', async () => {
    const begun = await world.db`
      select 1 from run_tool_calls where run_id = ${runId} and started_at is not null and ended_at is null`
    return begun.length === 1 || undefined
  })
  const workspace = join(world.config.DATA_DIR, 'sandboxes', `session-${chat.sessionId}`, 'workspace')
  return { chat, runId, reading, open: () => writeFile(join(workspace, 'go'), '') }
}

/** Returns the parts that the AI SDK client creates from a stream. */
const readWithSdk = async (transcript: Transcript): Promise<{ type: string }[]> => {
  // The frames of the log are chunks of the SDK.
  const chunks = listFrames(transcript) as unknown as UIMessageChunk[]
  const stream = new ReadableStream<UIMessageChunk>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  let parts: { type: string }[] = []
  for await (const message of readUIMessageStream({ stream })) ({ parts } = message)
  return parts
}

test('messages join the running turn in order before its next step, and the model answers the last message', async () => {
  const { chat, runId, reading, open } = await startGatedTurn(await api.openChat())
  const ids = [await api.enqueue(chat, '@say not this', 'steer'), await api.enqueue(chat, '@say but this', 'steer')]
  const queued = await api.enqueue(chat, '@say afterwards')
  await open()
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  const types = listTypes(transcript)
  const at = types.indexOf('data-steer')
  expect(types.slice(at - 1, at + 3)).toEqual(['finish-step', 'data-steer', 'data-steer', 'start-step'])
  const steers = listFrames(transcript).filter(({ type }) => type === 'data-steer')
  expect(steers).toMatchObject([
    { id: ids[0], data: { index: 0, step: 1, parts: [{ type: 'text', text: '@say not this' }] } },
    { id: ids[1], data: { index: 1, step: 1, parts: [{ type: 'text', text: '@say but this' }] } },
  ])
  expect(shownText(transcript)).toBe('but this')
  expect(await api.readEntry(chat, ids[1]!)).toMatchObject({ state: 'steered', runId })
  expect(shownText(await api.readStream(chat, await api.waitForRun(chat, queued)))).toBe('afterwards')
  await api.untilIdle(chat)
  const { messages } = await api.load(chat)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  expect(messages[1]?.parts.map(({ type }) => type)).toEqual([
    'step-start',
    'tool-bash',
    'data-steer',
    'data-steer',
    'step-start',
    'text',
  ])
  expect((await readWithSdk(transcript)).map(({ type }) => type)).toEqual(messages[1]?.parts.map(({ type }) => type))
  expect(messages[1]?.parts[2]).toEqual({ type: 'data-steer', id: ids[0], data: steers[0]?.['data'] })
})

const longWords = (text: string) => `@say ${text}\n${'x'.repeat(2_100_000)}`

test('up to 4 MB of messages join a step; later messages join a later step or become the next turn', async () => {
  const { chat, reading, open } = await startGatedTurn(await api.openChat())
  const ids = [
    await api.enqueue(chat, longWords('first'), 'steer'),
    await api.enqueue(chat, longWords('second'), 'steer'),
  ]
  await open()
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  const steers = listFrames(transcript).filter(({ type }) => type === 'data-steer')
  expect(steers.map(({ id }) => id)).toEqual([ids[0]])
  const next = await api.readStream(chat, await api.waitForRun(chat, ids[1]!))
  expect([shownText(transcript), shownText(next)]).toEqual(['first', 'second'])
  await api.untilIdle(chat)
})

test('a steering message becomes the next turn if the running turn ends first', async () => {
  const chat = await api.openChatWithoutCommands()
  const first = await api.post(chat, '@words 60')
  await readTranscript(await api.resume(chat), ({ frames }) => frames.length >= 4)
  const id = await api.enqueue(chat, '@say instead', 'steer')
  const transcript = await readTranscript(first)
  expect(listTypes(transcript)).not.toContain('data-steer')
  expect(shownText(await api.readStream(chat, await api.waitForRun(chat, id)))).toBe('instead')
  expect(await api.readEntry(chat, id)).toMatchObject({ state: 'accepted' })
  await api.untilIdle(chat)
})

test('a stop after a message has joined the turn keeps the message in the answer once', async () => {
  const { chat, reading, open } = await startGatedTurn(await api.openChat())
  const id = await api.enqueue(chat, '@stall', 'steer')
  await open()
  await eventually(
    'the message in the turn',
    async () => (await api.readEntry(chat, id)).state === 'steered' || undefined,
  )
  expect((await api.stop(chat)).status).toBe(200)
  expect(listFaults(await reading)).toEqual([])
  const { messages } = await api.load(chat)
  expect(messages[1]?.parts.filter(({ type }) => type === 'data-steer')).toMatchObject([{ id }])
  const next = await api.send(chat, 'and now', {
    messages: [...messages, { id: 'next', role: 'user', content: 'and now' }],
  })
  // The user message, the call, its result, the joined message, the text after it and the new message.
  expect(shownText(next)).toMatch(/I can see [56] messages/)
})

test('an interrupt stops the turn, keeps its partial text, overtakes waiting messages, and streams its answer', async () => {
  const chat = await api.openChatWithoutCommands()
  const response = await api.post(chat, '@words 1000')
  const reading = readTranscript(response)
  await readTranscript(await api.resume(chat), ({ frames }) => frames.length >= 6)
  const id = await api.enqueue(chat, '@say last')
  const interruptResponse = await api.sendBusy(chat, '@say first', 'interrupt')
  expect(interruptResponse.status).toBe(200)
  expect(shownText(await readTranscript(interruptResponse))).toBe('first')
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(listTypes(transcript).slice(-2)).toEqual(['abort', 'finish'])
  const runId = await api.waitForRun(chat, id)
  expect(shownText(await api.readStream(chat, runId))).toBe('last')
  await api.untilIdle(chat)
  const { messages } = await api.load(chat)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant'])
  expect(repeatedWords(1000)).toContain(String(messages[1]?.parts.find(({ type }) => type === 'text')?.['text']))
  expect(await api.userTexts(chat)).toEqual(['@words 1000', '@say first', '@say last'])
})

test('an interrupt ends a turn that no worker has begun; a stop of the next turn holds waiting messages', async () => {
  const idleWorld = await createWorld({ worker: false })
  try {
    const idleApi = createQueueApi(idleWorld)
    const chat = await idleApi.openChatWithoutCommands()
    const reading = readTranscript(await idleApi.post(chat, '@say never begun'))
    const response = await idleApi.sendBusy(chat, '@say next', 'interrupt')
    expect(response.status).toBe(200)
    await response.body?.cancel()
    expect(listTypes(await reading)).toEqual(['start', 'abort', 'finish'])
    const waiting = await idleApi.enqueue(chat, '@say held')
    await idleApi.stop(chat)
    expect(await idleApi.readEntry(chat, waiting)).toMatchObject({ state: 'waiting' })
    expect(await idleApi.readQueue(chat)).toMatchObject({ held: true, heldBecause: 'stopped' })
    expect(await idleApi.userTexts(chat)).toEqual(['@say never begun', '@say next'])
  } finally {
    await idleWorld.close()
  }
})

test('an interrupt bypasses a held queue, which stays held, and a repetition of its key replays its stream', async () => {
  const chat = await api.openChatWithoutCommands()
  await readTranscript(await api.post(chat, '@stall'), ({ frames }) => frames.length >= 4)
  await api.enqueue(chat, '@say held')
  await api.sendRequest(chat, 'POST', '/hold')
  const messages = [{ id: 'now', role: 'user', content: '@say now' }]
  const body = { chatId: chat.chatId, sessionId: chat.sessionId, messages, onBusy: 'interrupt' }
  const headers = { 'idempotency-key': 'interrupt-1' }
  const send = () => world.fetch('POST', '/api/chat', { key: chat.account.key, body, headers })
  const [first, again] = [await readTranscript(await send()), await readTranscript(await send())]
  expect(again).toEqual(first)
  expect(shownText(first)).toBe('now')
  expect(await api.readQueue(chat)).toMatchObject({
    held: true,
    heldBecause: 'requested',
    queue: [{ text: '@say held' }],
  })
})
