import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFakeModel, type FakeModel } from '../world/models/fake-model.ts'
import { listFaults, shownText } from '../world/transcript.ts'
import { fillChat, say as rowOf } from '../world/sessions/session-rows.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { createChatApi, userMessage, type OpenChat } from './chat-api.ts'

let model: FakeModel
let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  model = await createFakeModel()
  const MODEL_PRICES = '{"custom/default":{"input":100,"output":1000}}'
  world = await createWorld({ settings: { MODEL_BASE_URL: model.url, MODEL_PRICES, SANDBOX_PROVIDER: 'just-bash' } })
  chatApi = createChatApi(world)
})
afterAll(async () => {
  await world.close()
  await model.close()
})

type PromptMessage = { role: string; content: unknown }
const readPrompt = (request: { body: { messages?: unknown[] } } | undefined): PromptMessage[] =>
  (request?.body.messages ?? []) as PromptMessage[]
const asksForSummary = (request: { body: { messages?: unknown[] } }): boolean =>
  String(readPrompt(request)[0]?.content).startsWith('Summarize')

beforeEach(() => {
  model.requests.length = 0
  model.always((request) => (asksForSummary(request) ? { text: 'They chose five cities.' } : { text: 'Noted.' }))
})

/** Sends a message together with the whole history. */
const sendWithHistory = async (chat: OpenChat, text: string, context?: object) => {
  const { messages } = await chatApi.load(chat)
  return chatApi.send(chat, '', { messages: [...messages, userMessage(text)], ...(context && { context }) })
}

type Summary = { id: string; text: string; messages: number; fromMessageId: string; throughMessageId: string }

const compact = (chat: OpenChat) =>
  world.request<{ summary: Summary }>('POST', `/api/chat/${chat.chatId}/compact`, { key: chat.account.key })

const listSummaries = async (chat: OpenChat) => {
  const { key } = chat.account
  return (await world.request<{ summaries: Summary[] }>('GET', `/api/chat/${chat.chatId}/summaries`, { key })).body
    .summaries
}

const listCharges = (chat: OpenChat) => world.db<{ agentType: string; credits: number }[]>`
  select agent_type, credits from usage_events where account_id = ${chat.account.id} order by created_at`

test('earlier turns are summarized once, and later model calls receive the summary instead of these turns', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  expect((await compact(chat)).status).toBe(409)
  await sendWithHistory(chat, 'Plan a tour of five cities')
  expect((await compact(chat)).status).toBe(409)
  await sendWithHistory(chat, 'Add Lisbon')
  const { messages } = await chatApi.load(chat)

  model.requests.length = 0
  const [first, second] = [await compact(chat), await compact(chat)]
  expect(first.status).toBe(200)
  expect(first.body.summary).toMatchObject({
    text: 'They chose five cities.',
    messages: 2,
    fromMessageId: messages[0]?.id,
    throughMessageId: messages[1]?.id,
  })
  expect(second.body).toEqual(first.body)
  expect(await listSummaries(chat)).toEqual([first.body.summary])
  expect(model.requests).toHaveLength(1)
  expect(JSON.stringify(readPrompt(model.requests[0]))).toContain('> Plan a tour of five cities')
  // 12 tokens at 100 and 5 at 1000 USD per million.
  expect((await listCharges(chat)).at(-1)).toEqual({ agentType: 'compact', credits: 6200 })

  await sendWithHistory(chat, 'How many?')
  const prompt = readPrompt(model.requests.at(-1))
  expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(prompt[0]?.content).toContain('The first 2 messages of this chat are not shown.')
  expect(prompt[0]?.content).toContain('They chose five cities.')
  expect(prompt[1]?.content).toBe('Add Lisbon')
  expect((await chatApi.load(chat)).messages).toHaveLength(6)

  const edited = [userMessage('Plan a tour of two cities'), ...messages.slice(1), userMessage('How many?')]
  await chatApi.send(chat, '', { messages: edited })
  expect(JSON.stringify(readPrompt(model.requests.at(-1)))).not.toContain('They chose five cities.')
  expect(JSON.stringify(readPrompt(model.requests.at(-1)))).toContain('two cities')
})

test('a summary builds on the previous summary', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  for (const text of ['One', 'Two']) await sendWithHistory(chat, text)
  await compact(chat)
  await sendWithHistory(chat, 'Three')
  model.requests.length = 0
  expect((await compact(chat)).body.summary).toMatchObject({ messages: 4 })
  const [prompt] = model.requests.map((request) => JSON.stringify(readPrompt(request)))
  expect(prompt).toContain('> They chose five cities.')
  expect(prompt).toContain('> Two')
  expect(prompt).not.toContain('> One')
})

test('a summary requested while another summary is being created is also created', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  for (const text of ['One', 'Two']) await sendWithHistory(chat, text)
  model.requests.length = 0
  model.next({ text: 'They said one.', delayMs: 4000 })
  const earlier = compact(chat)
  await eventually('the first summary', async () => model.requests.length > 0 || undefined)
  await fillChat(world.db, chat.chatId, [rowOf('Three')])
  const later = await compact(chat)
  expect([later.status, later.body.summary]).toMatchObject([200, { messages: 4 }])
  expect((await earlier).body.summary).toMatchObject({ text: 'They said one.', messages: 2 })
  expect((await listCharges(chat)).filter(({ agentType }) => agentType === 'compact')).toHaveLength(2)
})

const openAutoCompacted = async (): Promise<OpenChat> => {
  const chat = await chatApi.openChat()
  const { status, body } = await world.request('PATCH', `/api/sessions/${chat.sessionId}/chats/${chat.chatId}`, {
    key: chat.account.key,
    body: { autoCompact: true },
  })
  expect([status, body]).toMatchObject([200, { chat: { autoCompact: true } }])
  return chat
}
const limited = { contextLimit: 400 }

test('a history that fills four fifths of the context is summarized once before the turn', async () => {
  const chat = await openAutoCompacted()
  const longMessage = 'Go on. '.repeat(60)
  await sendWithHistory(chat, 'a word or two '.repeat(40), limited)
  await sendWithHistory(chat, 'and two more '.repeat(25), limited)
  const before = model.requests.length
  model.next({ text: 'They chose five cities.' }, { calls: [{ name: 'todo', arguments: { todos: [] } }] })
  const transcript = await sendWithHistory(chat, longMessage, limited)
  expect([listFaults(transcript), shownText(transcript)]).toEqual([[], 'Noted.'])
  const laterRequests = model.requests.slice(before)
  expect(laterRequests.map(asksForSummary)).toEqual([true, false, false])
  for (const request of laterRequests.slice(1)) {
    expect(readPrompt(request)[0]?.content).toContain('The first 4 messages of this chat are not shown.')
    expect(readPrompt(request)[1]).toEqual({ role: 'user', content: longMessage })
  }
  expect((await listCharges(chat)).map(({ agentType }) => agentType).toSorted()).toEqual(
    ['compact', 'main', 'main', 'main'].toSorted(),
  )
  model.requests.length = 0
  // A request to compact returns the summary that a turn has created.
  expect(await compact(chat)).toMatchObject({ status: 200, body: { summary: { messages: 4 } } })
  expect(await listSummaries(chat)).toHaveLength(1)
  await sendWithHistory(chat, 'And on', limited)
  expect(model.requests.map(asksForSummary)).toEqual([false])
})

test('a retried step sends the same summary, even if a newer summary was created meanwhile', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  for (const text of ['One', 'Two']) await sendWithHistory(chat, text)
  await compact(chat)
  await sendWithHistory(chat, 'Three')
  model.requests.length = 0
  await compact(chat)
  await world.db`update chat_summaries set created_at = now() + interval '1 hour' where cardinality(message_ids) = 4`
  model.next({ status: 500, body: '{}' })
  await sendWithHistory(chat, 'Four')
  const [first, again] = model.requests.filter((request) => !asksForSummary(request)).map(readPrompt)
  expect(again).toEqual(first)
  expect(first?.[0]?.content).toContain('The first 2 messages')
})

test('a turn continues if its summary fails', async () => {
  const chat = await openAutoCompacted()
  await sendWithHistory(chat, 'a word or two '.repeat(100), limited)
  model.always((request) => (asksForSummary(request) ? { status: 400, body: '{}' } : { text: 'Noted.' }))
  const transcript = await sendWithHistory(chat, 'Go on', limited)
  expect([listFaults(transcript), shownText(transcript)]).toEqual([[], 'Noted.'])
  expect((await compact(chat)).status).toBe(502)
  expect(await listSummaries(chat)).toEqual([])
})

test('a chat of another account can be neither summarized nor read', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const { key } = await world.makeAccount()
  for (const [method, path] of [
    ['POST', 'compact'],
    ['GET', 'summaries'],
  ] as const)
    expect((await world.request(method, `/api/chat/${chat.chatId}/${path}`, { key })).status).toBe(403)
})
