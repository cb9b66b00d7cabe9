import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatApi, repeatedWords, userMessage } from '../../chat/chat-api.ts'
import { listFaults, readTranscript, shownText } from '../../world/transcript.ts'
import { createWorld, type World } from '../../world/world.ts'
import { startApiProcess } from '../processes.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld({ settings: { LOCAL_MODEL_WORDS_PER_SECOND: '40' } })
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

test('after an API is killed during a stream, the client resumes at another API without losing a byte', async () => {
  const chat = await chatApi.openChat()
  const [doomed, other] = await Promise.all([startApiProcess(world), startApiProcess(world)])
  const response = await fetch(`${doomed.baseUrl}/api/chat`, {
    method: 'POST',
    headers: { 'x-api-key': chat.account.key, 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId: chat.sessionId, chatId: chat.chatId, messages: [userMessage('@words 120')] }),
  })
  const watching = chatApi.resume(chat).then((live) => readTranscript(live))
  const killed: Promise<void>[] = []
  const before = await readTranscript(response, ({ frames }) => {
    if (frames.length >= 15 && killed.length === 0) killed.push(doomed.kill())
    return false
  })
  await Promise.all(killed)
  expect(before.done).toBe(false)
  const after = await readTranscript(
    await fetch(`${other.baseUrl}/api/chat/${chat.chatId}/stream`, {
      headers: { 'x-api-key': chat.account.key, 'last-event-id': String(before.frames.at(-1)?.index) },
    }),
  )
  const whole = await watching
  expect(listFaults(whole)).toEqual([])
  expect(shownText(whole)).toBe(repeatedWords(120))
  expect([...before.frames, ...after.frames]).toEqual(whole.frames)
  await other.stop()
})

test('an API that receives SIGTERM closes its streams between frames and exits', async () => {
  const chat = await chatApi.openChat()
  const stoppingApi = await startApiProcess(world)
  const response = await chatApi.post(chat, '@words 60')
  const stream = await fetch(`${stoppingApi.baseUrl}/api/chat/${chat.chatId}/stream`, {
    headers: { 'x-api-key': chat.account.key },
  })
  const reading = readTranscript(stream)
  expect(await stoppingApi.stop()).toBe(0)
  const cut = await reading
  expect(cut.done).toBe(false)
  const whole = await readTranscript(response)
  expect(cut.frames).toEqual(whole.frames.slice(0, cut.frames.length))
})
