import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFaults, listFrames, readTranscript, shownText } from '../../world/transcript.ts'
import { createWorld, type World } from '../../world/world.ts'
import { userMessage, type OpenChat } from '../chat-api.ts'
import { createQueueApi, type ShownQueue } from './queue-api.ts'

let world: World
let api: ReturnType<typeof createQueueApi>
beforeAll(async () => {
  world = await createWorld({ settings: { LOCAL_MODEL_WORDS_PER_SECOND: '200', REQUIRE_CREDITS: 'true' } })
  api = createQueueApi(world)
})
afterAll(() => world.close())

/** Opens a chat with a turn that runs until it is stopped. */
const openBusyChat = async (existing?: OpenChat): Promise<OpenChat> => {
  const chat = existing ?? (await api.openChatWithoutCommands())
  await readTranscript(await api.post(chat, '@stall'), ({ frames }) => frames.length >= 4)
  return chat
}

/** Opens a chat with a turn that takes about a second. */
const openWorkingChat = async (): Promise<{ chat: OpenChat; first: Response }> => {
  const chat = await api.openChatWithoutCommands()
  return { chat, first: await api.post(chat, '@words 200') }
}

describe('the queue of a chat', () => {
  test('runs waiting messages in order, each with the whole history', async () => {
    const { chat, first } = await openWorkingChat()
    const ids = [await api.enqueue(chat, 'one'), await api.enqueue(chat, 'two'), await api.enqueue(chat, 'three')]
    expect(await api.readQueue(chat)).toMatchObject({
      held: false,
      queue: [
        { id: ids[0], position: 1, text: 'one', state: 'waiting', runId: null },
        { id: ids[1], position: 2, text: 'two' },
        { id: ids[2], position: 3, text: 'three' },
      ],
    })
    expect(listFaults(await readTranscript(first))).toEqual([])
    // The stream of the chat continues from turn to turn without a gap.
    const next = await api.resume(chat)
    expect(next.status).toBe(200)
    expect(next.headers.get('x-workflow-run-id')).toBe(await api.waitForRun(chat, ids[0]!))
    await next.body?.cancel()
    const shown: string[] = []
    for (const id of ids) shown.push(shownText(await api.readStream(chat, await api.waitForRun(chat, id))))
    expect(shown.map((text) => /^You said: "(\w+)" I can see (\d+) messages/.exec(text)?.slice(1))).toEqual([
      ['one', '3'],
      ['two', '5'],
      ['three', '7'],
    ])
    await api.untilIdle(chat)
    expect(await api.userTexts(chat)).toEqual(['@words 200', 'one', 'two', 'three'])
    expect(await api.readEntry(chat, ids[0]!)).toMatchObject({ state: 'accepted', position: null, text: null })
    const charges = await world.db`select 1 from usage_events where account_id = ${chat.account.id}`
    expect(charges).toHaveLength(4)
  })

  test('an idle chat accepts a message immediately, regardless of onBusy', async () => {
    const chat = await api.openChatWithoutCommands()
    for (const onBusy of ['queue', 'interrupt', 'steer']) {
      const response = await api.sendBusy(chat, `@say ${onBusy}`, onBusy)
      expect(response.status).toBe(200)
      expect(shownText(await readTranscript(response))).toBe(onBusy)
    }
  })

  test('a busy chat rejects a message without onBusy and the 21st waiting message', async () => {
    const chat = await openBusyChat()
    expect((await api.post(chat, 'no')).status).toBe(409)
    expect((await api.sendBusy(chat, 'no', 'reject')).status).toBe(409)
    for (let at = 0; at < 20; at++) await api.enqueue(chat, `message ${at}`)
    const refused = await api.sendBusy(chat, 'one more', 'queue')
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: 'The queue of a chat holds at most 20 messages and 20 MB' },
    ])
    expect(refused.headers.get('retry-after')).toBe('2')
    await api.sendRequest(chat, 'DELETE')
    await api.stop(chat)
  })

  test('the queue accepts up to 20 MB of text and is listed page by page', async () => {
    const chat = await openBusyChat()
    const ids = [await api.enqueue(chat, 'a'.repeat(9_000_000)), await api.enqueue(chat, 'b'.repeat(9_000_000))]
    expect((await api.sendBusy(chat, 'c'.repeat(9_000_000), 'queue')).status).toBe(429)
    ids.push(await api.enqueue(chat, 'small'), await api.enqueue(chat, 'd'.repeat(1_900_000)))
    const pages: (string | undefined)[][] = []
    for (let after: string | undefined = ''; after !== undefined;) {
      const page: ShownQueue = await api.readQueue(chat, after)
      pages.push(page.queue.map(({ id, text }) => `${id} ${text?.length}`))
      after = page.nextAfter
    }
    expect(pages).toEqual([[`${ids[0]} 9000000`], [`${ids[1]} 9000000`], [`${ids[2]} 5`, `${ids[3]} 1900000`]])
    const change = (length: number) => api.sendRequest(chat, 'PATCH', `/${ids[2]}`, { text: 'é'.repeat(length) })
    expect(await change(1_000_000)).toMatchObject({ status: 429 })
    expect(await change(100)).toMatchObject({ status: 200, body: { position: 3 } })
    await api.sendRequest(chat, 'DELETE')
    await api.stop(chat)
  })

  test('a repeated message returns its waiting entry, and a repeated key returns the first response', async () => {
    const chat = await openBusyChat()
    const messages = [userMessage('@say once')]
    const sent = await Promise.all([1, 2].map(() => api.sendBusy(chat, '', 'queue', { messages })))
    const [one, two] = await Promise.all(sent.map((response) => response.json()))
    expect(one).toEqual(two)
    const headers = { 'idempotency-key': 'queue-1' }
    const body = { chatId: chat.chatId, sessionId: chat.sessionId, messages: [userMessage('keyed')], onBusy: 'queue' }
    const sendKeyed = () => world.request('POST', '/api/chat', { key: chat.account.key, body, headers })
    const [first, again] = [await sendKeyed(), await sendKeyed()]
    expect([again.status, again.body]).toEqual([202, first.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await api.readQueue(chat)).queue).toHaveLength(2)
    await api.sendRequest(chat, 'DELETE')
    await api.stop(chat)
  })

  test('waiting entries can be moved, edited and removed; accepted and removed entries cannot', async () => {
    const { chat, first } = await openWorkingChat()
    const [a, b, c] = [
      await api.enqueue(chat, '@say a'),
      await api.enqueue(chat, '@say b'),
      await api.enqueue(chat, '@say c'),
    ]
    expect(await api.sendRequest(chat, 'PATCH', `/${c}`, { position: 1 })).toMatchObject({
      status: 200,
      body: { position: 1 },
    })
    expect(await api.sendRequest(chat, 'PATCH', `/${a}`, { text: '@say changed' })).toMatchObject({
      body: { position: 2, text: '@say changed' },
    })
    expect((await api.sendRequest(chat, 'DELETE', `/${b}`)).status).toBe(200)
    expect(await api.readEntry(chat, b)).toMatchObject({ state: 'removed', runId: null })
    await readTranscript(first)
    await api.untilIdle(chat)
    expect(await api.userTexts(chat)).toEqual(['@words 200', '@say c', '@say changed'])
    for (const id of [a, b]) {
      expect((await api.sendRequest(chat, 'PATCH', `/${id}`, { text: 'late' })).status).toBe(409)
      expect((await api.sendRequest(chat, 'DELETE', `/${id}`)).status).toBe(409)
    }
  })

  test('the history of a queued message contains earlier messages of the client, but no removed messages', async () => {
    const chat = await openBusyChat()
    const removed = userMessage('never')
    await api.sendBusy(chat, '', 'queue', { messages: [removed] })
    const { queue } = await api.readQueue(chat)
    const before = [userMessage('earlier'), { id: 'a1', role: 'assistant', content: 'an answer' }]
    const messages = [...before, removed, userMessage('now')]
    const sent = await api.sendBusy(chat, '', 'queue', { messages })
    const { queued } = (await sent.json()) as { queued: { id: string } }
    await api.sendRequest(chat, 'DELETE', `/${queue[0]?.id}`)
    await api.stop(chat)
    await api.sendRequest(chat, 'POST', '/resume')
    const text = shownText(await api.readStream(chat, await api.waitForRun(chat, queued.id)))
    // Two messages of the client, the stopped turn, and the new message.
    expect(text).toMatch(/^You said: "now" I can see 5 messages/)
  })
})

test('a waiting message that is sent again as an interrupt becomes the next turn once', async () => {
  const chat = await openBusyChat()
  const first = await api.enqueue(chat, '@say first')
  const urgent = userMessage('@say urgent')
  expect((await api.sendBusy(chat, '', 'queue', { messages: [urgent] })).status).toBe(202)
  const response = await api.sendBusy(chat, '', 'interrupt', { messages: [urgent] })
  expect(response.status).toBe(200)
  expect(shownText(await readTranscript(response))).toBe('urgent')
  expect(shownText(await api.readStream(chat, await api.waitForRun(chat, first)))).toBe('first')
  await api.untilIdle(chat)
  expect(await api.userTexts(chat)).toEqual(['@stall', '@say urgent', '@say first'])
})

describe('the reasons that hold a queue', () => {
  test('include a stop, until the queue is resumed', async () => {
    const chat = await openBusyChat()
    const id = await api.enqueue(chat, '@say later')
    expect((await api.stop(chat)).status).toBe(200)
    expect(await api.readQueue(chat)).toMatchObject({ held: true, heldBecause: 'stopped', queue: [{ id }] })
    // The idle chat accepts a new message, and the queue stays held.
    expect(shownText(await api.send(chat, '@say now'))).toBe('now')
    expect(await api.readQueue(chat)).toMatchObject({ held: true })
    expect((await api.sendRequest(chat, 'POST', '/resume')).body).toEqual({
      held: false,
      heldBecause: null,
      heldText: null,
      queue: [],
    })
    expect(shownText(await api.readStream(chat, await api.waitForRun(chat, id)))).toBe('later')
    expect(await api.userTexts(chat)).toEqual(['@stall', '@say now', '@say later'])
  })

  test('include a stop, until the queue is empty', async () => {
    const chat = await openBusyChat()
    await api.enqueue(chat, 'unwanted')
    await api.stop(chat)
    expect((await api.sendRequest(chat, 'DELETE')).body).toEqual({ success: true, removed: 1 })
    expect(await api.readQueue(chat)).toMatchObject({ held: false, queue: [] })
    await openBusyChat(chat)
    await api.enqueue(chat, 'wanted')
    expect(await api.readQueue(chat)).toMatchObject({ held: false })
    await api.sendRequest(chat, 'DELETE')
    await api.stop(chat)
  })

  test('include a failed turn, whose reason is stored', async () => {
    const chat = await api.openChatWithoutCommands()
    const first = await api.post(chat, '@fail')
    await api.enqueue(chat, '@say after')
    await readTranscript(first)
    expect(await api.readQueue(chat)).toMatchObject({
      held: true,
      heldBecause: 'failed',
      heldText: 'The model call failed',
    })
  })

  test('include a hold on request, while the turn continues', async () => {
    const { chat, first } = await openWorkingChat()
    const id = await api.enqueue(chat, '@say held')
    expect((await api.sendRequest(chat, 'POST', '/hold')).body).toMatchObject({ held: true, heldBecause: 'requested' })
    expect(listFrames(await readTranscript(first)).at(-1)).toMatchObject({ finishReason: 'stop' })
    expect(await api.readEntry(chat, id)).toMatchObject({ state: 'waiting' })
    await api.sendRequest(chat, 'POST', '/resume')
    await api.waitForRun(chat, id)
    await api.untilIdle(chat)
  })

  test('include a question of the agent, until the user answers it', async () => {
    const chat = await api.openChatWithoutCommands()
    const first = await api.post(chat, '@words 40\n@ask Which? A | B')
    const id = await api.enqueue(chat, '@say then this')
    await readTranscript(first)
    expect(await api.readQueue(chat)).toMatchObject({ held: true, heldBecause: 'awaiting_user' })
    const asking = (await api.load(chat)).messages[1]!
    const parts = asking.parts.map((part) =>
      part['type'] === 'tool-ask_user_question' ? { ...part, state: 'output-available', output: 'A' } : part,
    )
    await api.send(chat, '', { messages: [{ ...asking, parts }] })
    expect(shownText(await api.readStream(chat, await api.waitForRun(chat, id)))).toBe('then this')
  })

  test('include missing credits and a missing sandbox, both checked before the turn starts', async () => {
    const { chat, first } = await openWorkingChat()
    const id = await api.enqueue(chat, '@say paid')
    await world.db`update credit_balances set remaining_credits = 0, refilled_at = now() where account_id = ${chat.account.id}`
    await readTranscript(first)
    expect(await api.readQueue(chat)).toMatchObject({ held: true, heldBecause: 'insufficient_credits' })
    await world.db`update credit_balances set remaining_credits = 1000 where account_id = ${chat.account.id}`
    await world.db`update sessions set lifecycle_state = 'hibernated' where id = ${chat.sessionId}`
    expect((await api.sendRequest(chat, 'POST', '/resume')).body).toMatchObject({
      heldBecause: 'sandbox_not_initialized',
    })
    await world.db`update sessions set lifecycle_state = 'active' where id = ${chat.sessionId}`
    await api.sendRequest(chat, 'POST', '/resume')
    expect(shownText(await api.readStream(chat, await api.waitForRun(chat, id)))).toBe('paid')
  })
})

describe('runs without a stream', () => {
  test('continue an existing chat with a prompt, which can be queued like any message', async () => {
    const chat = await api.openChat()
    await api.send(chat, '@say first')
    const run = (body: object) => world.request('POST', '/api/chat/runs', { key: chat.account.key, body })
    const started = await run({ chatId: chat.chatId, prompt: '@words 150' })
    expect([started.status, started.body]).toMatchObject([202, { chatId: chat.chatId, sessionId: chat.sessionId }])
    expect((await run({ chatId: chat.chatId, prompt: 'no' })).status).toBe(409)
    const queued = await run({ chatId: chat.chatId, prompt: 'how many?', onBusy: 'queue' })
    expect([queued.status, queued.body]).toMatchObject([202, { queued: { position: 1 }, chatId: chat.chatId }])
    const { id } = queued.body['queued'] as { id: string }
    const text = shownText(await api.readStream(chat, await api.waitForRun(chat, id)))
    expect(text).toMatch(/^You said: "how many\?" I can see 5 messages/)
    expect((await run({ chatId: chat.chatId, prompt: 'x', title: 'A title' })).status).toBe(400)
    await api.untilIdle(chat)
    await run({ chatId: chat.chatId, prompt: '@stall' })
    const headers = { 'idempotency-key': 'run-1' }
    const body = { chatId: chat.chatId, prompt: '@say instead', onBusy: 'interrupt' }
    const interrupt = () => world.request('POST', '/api/chat/runs', { key: chat.account.key, body, headers })
    const [first, again] = [await interrupt(), await interrupt()]
    expect([first.status, first.body]).toMatchObject([202, { runId: expect.stringMatching(/^wrun_/) as string }])
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    await api.untilIdle(chat)
  })
})

test('other accounts can neither see nor change a queue, and unknown entries and runs are not found', async () => {
  const chat = await api.openChatWithoutCommands()
  const outsider = await world.makeAccount()
  const sendRequest = async (method: string, path: string, key: string) =>
    (
      await world.request(method, `/api/chat/${chat.chatId}${path}`, {
        key,
        body: method === 'PATCH' ? { position: 1 } : undefined,
      })
    ).status
  for (const [method, path] of [
    ['GET', '/queue'],
    ['DELETE', '/queue'],
    ['POST', '/queue/hold'],
    ['POST', '/queue/resume'],
    ['GET', '/queue/none'],
    ['PATCH', '/queue/none'],
    ['DELETE', '/queue/none'],
  ] as const)
    expect(await sendRequest(method, path, outsider.key)).toBe(403)
  for (const method of ['GET', 'PATCH', 'DELETE'])
    expect(await sendRequest(method, '/queue/none', chat.account.key)).toBe(404)
  expect(await sendRequest('GET', '/stream?runId=none', chat.account.key)).toBe(404)
  expect(await sendRequest('GET', '/stream', chat.account.key)).toBe(204)
})
