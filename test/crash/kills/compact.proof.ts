import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatApi, userMessage } from '../../chat/chat-api.ts'
import { createFakeModel, type FakeModel } from '../../world/models/fake-model.ts'
import { listFaults, readTranscript, shownText } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { startApiProcess, startWorkerInProcess, startWorkerProcess } from '../processes.ts'
import { whileLocked } from '../table-locks.ts'

let model: FakeModel
let world: World
beforeAll(async () => {
  model = await createFakeModel()
  world = await createWorld({ worker: false, settings: { MODEL_BASE_URL: model.url } })
})
afterAll(async () => {
  await world.close()
  await model.close()
})

test('after a worker is killed during a summary, another worker repeats it, and it is charged once', async () => {
  const killedWorker = await startWorkerProcess(world)
  const chatApi = createChatApi(world)
  const chat = await chatApi.openChatWithoutCommands()
  const path = `/api/sessions/${chat.sessionId}/chats/${chat.chatId}`
  await world.request('PATCH', path, { key: chat.account.key, body: { autoCompact: true } })
  model.always({ text: 'Noted.' })
  await chatApi.send(chat, 'a word or two '.repeat(100), { context: { contextLimit: 400 } })
  const { messages } = await chatApi.load(chat)
  const before = model.requests.length
  model.next({ text: 'They chose five cities.', breakAfter: 2, breakWith: 'hang' }, { text: 'They chose six cities.' })
  const sent = { messages: [...messages, userMessage('Go on')], context: { contextLimit: 400 } }
  const response = await chatApi.post(chat, '', sent)
  const reading = readTranscript(response)
  await eventually('the request for the summary', async () => model.requests.length > before || undefined)
  const survivor = startWorkerInProcess(world)
  await killedWorker.kill()
  const transcript = await reading
  expect([listFaults(transcript), shownText(transcript)]).toEqual([[], 'Noted.'])
  const sentMessages = model.requests.at(-1)?.body.messages as { content: unknown }[]
  expect(sentMessages[0]?.content).toContain('They chose six cities.')
  const charges = await world.db`
    select 1 from usage_events where account_id = ${chat.account.id} and agent_type = 'compact'`
  expect(charges).toHaveLength(1)
  expect(await (await survivor).stop()).toBe(0)
})

test('after a worker and the API are killed during a summary, one summary is stored and charged once', async () => {
  const killedWorker = await startWorkerProcess(world)
  const killedApi = await startApiProcess(world, { settings: { MODEL_BASE_URL: model.url } })
  const chatApi = createChatApi(world)
  const chat = await chatApi.openChatWithoutCommands()
  model.always({ text: 'Noted.' })
  for (const text of ['Plan a tour', 'Add Lisbon']) await chatApi.send(chat, text)
  const path = `/api/chat/${chat.chatId}/compact`
  const headers = { 'x-api-key': chat.account.key }
  await whileLocked(
    world,
    'chat_summaries',
    async (blocked) => {
      const lost = fetch(killedApi.baseUrl + path, { method: 'POST', headers }).catch(() => undefined)
      await blocked
      await Promise.all([killedWorker.kill(), killedApi.kill()])
      await lost
    },
    'writers',
  )
  const survivor = await startWorkerInProcess(world)
  const { status, body } = await world.request('POST', path, { key: chat.account.key })
  expect([status, body]).toMatchObject([200, { summary: { text: 'Noted.', messages: 2 } }])
  const { body: listed } = await world.request('GET', `/api/chat/${chat.chatId}/summaries`, { key: chat.account.key })
  expect(listed).toMatchObject({ summaries: [{ text: 'Noted.' }] })
  expect((listed as { summaries: unknown[] }).summaries).toHaveLength(1)
  const charges = await world.db`
    select 1 from usage_events where account_id = ${chat.account.id} and agent_type = 'compact'`
  expect(charges).toHaveLength(1)
  expect(await survivor.stop()).toBe(0)
})
