import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertReply } from '../../db/mail/replies.ts'
import { createChatApi } from '../chat/chat-api.ts'
import { startWorkerInProcess, startWorkerProcess } from '../crash/processes.ts'
import { createWorld, eventually, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { LOCAL_MODEL_WORDS_PER_SECOND: '40' } })
})
afterAll(() => world.close())

test('replies received before a worker is killed are answered once each, in order', async () => {
  const firstWorker = await startWorkerProcess(world)
  const chatApi = createChatApi(world)
  const chat = await chatApi.openChat()
  const from = chat.account.email
  const texts = ['@words 60', '@words 5', '@words 6']
  for (const text of texts)
    await insertReply(world.db, {
      providerKey: randomUUID(),
      chatId: chat.chatId,
      content: { from, text, html: '', headers: {}, isAuthenticated: true },
    })
  await eventually('the first answer', async () => {
    const { isStreaming, resumeIndex } = await chatApi.load(chat)
    const [run] = await world.db`select 1 from runs where chat_id = ${chat.chatId} and status = 'running'`
    return (isStreaming && resumeIndex !== null && run !== undefined) || undefined
  })
  const secondWorker = startWorkerInProcess(world)
  await firstWorker.kill()
  await eventually('answers to all replies', async () => {
    const [row] = await world.db<{ ended: number }[]>`
      select count(*)::int as ended from mail_replies join runs on runs.id = run_id where runs.status = 'completed'`
    return row?.ended === texts.length || undefined
  })
  const { messages } = await chatApi.load(chat)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant'])
  const received = messages.filter(({ role }) => role === 'user').map(({ parts }) => String(parts[0]?.['text']))
  expect(received.toSorted()).toEqual(texts.toSorted())
  expect(await (await secondWorker).stop()).toBe(0)
})
