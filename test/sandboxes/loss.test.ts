import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../dev/stack/ports.ts'
import { findDefaultDriver } from '../providers/sandbox/contract.ts'
import { createFakeModel, type FakeModel } from '../world/models/fake-model.ts'
import { listFaults, listFrames, listTypes } from '../world/transcript.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { loseMachine } from './fleet-world.ts'
import { createSandboxApi } from './lifecycle/sandbox-api.ts'
import type { OpenChat } from '../chat/chat-api.ts'

let world: World
let model: FakeModel
let port: number
beforeAll(async () => {
  model = await createFakeModel()
  port = await freePort()
  world = await createWorld({
    settings: {
      SANDBOX_PROVIDER: (await findDefaultDriver())?.name ?? 'just-bash',
      SANDBOX_ADDRESS: `127.0.0.1:${port}`,
      MODEL_BASE_URL: model.url,
      DEFAULT_MODEL: 'local/assistant',
    },
  })
})
afterAll(async () => {
  await world.close()
  await model.close()
})

const readState = async ({ sessionId }: OpenChat): Promise<Record<string, unknown>> => {
  const [row] = await world.db`select sandbox_state as state from sessions where id = ${sessionId}`
  return row?.['state'] as Record<string, unknown>
}

test('a sandbox loss during a turn is announced before the output of the first command in the new sandbox', async () => {
  const { chatApi, run } = createSandboxApi(world)
  const chat = await chatApi.openChat()
  await run(chat, 'echo one > ~/file')
  const before = await readState(chat)
  expect(before).toMatchObject({ epoch: 1 })
  await loseMachine(world, chat)
  const transcript = await chatApi.send(chat, '$ ls ~/file')
  const types = listTypes(transcript)
  expect(types.filter((type) => type === 'data-sandbox-loss')).toHaveLength(1)
  expect(types.indexOf('data-sandbox-loss')).toBeLessThan(types.indexOf('tool-output-available'))
  const state = await readState(chat)
  expect(state).toMatchObject({ machine: before['machine'], epoch: 2, lostAt: expect.any(Number) })
  const announced = listFrames(transcript).find(({ type }) => type === 'data-sandbox-loss')
  expect(announced?.['data']).toMatchObject({ epoch: 2, commit: expect.stringMatching(/^[0-9a-f]{40}$/) })
  expect(await run(chat, 'ls ~/file 2>&1')).toContain('No such file')
  expect(listTypes(await chatApi.send(chat, '$ true'))).not.toContain('data-sandbox-loss')
})

test('the model is notified of a sandbox loss after the outputs of the step and before its next call', async () => {
  const { chatApi } = createSandboxApi(world)
  const chat = await chatApi.openChat()
  await world.db`update chats set model_id = 'custom/default' where id = ${chat.chatId}`
  await loseMachine(world, chat)
  model.next({ calls: [{ name: 'bash', arguments: { command: 'ls' } }] }, { text: 'I see.' })
  await chatApi.send(chat, 'what is there?')
  const messages = model.requests.at(-1)?.body.messages as { role: string; content: unknown }[]
  expect(messages.slice(-2).map(({ role }) => role)).toEqual(['tool', 'user'])
  expect(JSON.stringify(messages.at(-1)?.content)).toMatch(/The machine of the sandbox was lost.*commit [0-9a-f]{40}/)
})

test('a sandbox loss between the last command and the commit is announced in the same turn', async () => {
  const { chatApi } = createSandboxApi(world)
  const chat = await chatApi.openChat()
  await world.db`update chats set model_id = 'custom/default' where id = ${chat.chatId}`
  const requestCount = model.requests.length
  model.next({ calls: [{ name: 'bash', arguments: { command: 'echo one > file' } }] })
  model.next({ text: 'This is written slowly, until the files are lost.', wordsPerSecond: 3 })
  const sending = chatApi.send(chat, 'write it')
  await eventually('the last call', async () => (model.requests.length === requestCount + 2 ? true : undefined))
  await loseMachine(world, chat)
  const transcript = await sending
  expect(listFaults(transcript)).toEqual([])
  const types = listTypes(transcript)
  expect(types.filter((type) => type === 'data-sandbox-loss')).toHaveLength(1)
  expect(types.indexOf('text-end')).toBeLessThan(types.indexOf('data-sandbox-loss'))
  const { messages } = await chatApi.load(chat)
  expect(messages.at(-1)?.parts.map(({ type }) => type)).toContain('data-sandbox-loss')
  expect(listTypes(await chatApi.send(chat, 'and now?'))).not.toContain('data-sandbox-loss')
})

test('a sandbox loss between two attempts at a model call is announced outside of the retracted frames', async () => {
  const { chatApi } = createSandboxApi(world)
  const chat = await chatApi.openChat()
  await chatApi.send(chat, '$ true')
  await world.db`update chats set model_id = 'custom/default' where id = ${chat.chatId}`
  const requestCount = model.requests.length
  model.next(
    { text: 'This is written slowly until it is cut.', wordsPerSecond: 4, breakAfter: 6, breakWith: 'cut' },
    { text: 'I see.' },
  )
  const sending = chatApi.send(chat, 'what is there?')
  await eventually('the first attempt', async () => (model.requests.length === requestCount + 1 ? true : undefined))
  const restored = { epoch: 2, lostAt: Date.now() }
  await world.db`
    update sessions set sandbox_state = sandbox_state || ${world.db.json(restored)} where id = ${chat.sessionId}`
  await world.db`update sandbox_places set epoch = 2 where sandbox_name = ${`session-${chat.sessionId}`}`
  const transcript = await sending
  const frames = listFrames(transcript)
  const announcedAt = frames.findIndex(({ type }) => type === 'data-sandbox-loss')
  const retractions = frames.flatMap(({ type, data }) =>
    type === 'data-retract' ? [data as { fromIndex: number; toIndex: number }] : [],
  )
  expect(retractions.length).toBeGreaterThan(0)
  for (const { fromIndex, toIndex } of retractions)
    expect([fromIndex > announcedAt, toIndex < announcedAt]).toContain(true)
  expect(announcedAt).toBeGreaterThan(0)
  const { messages } = await chatApi.load(chat)
  expect(messages.at(-1)?.parts.map(({ type }) => type)).toEqual(['data-sandbox-loss', 'step-start', 'text'])
})

test('a sandbox loss before a turn is announced in the next turn of each older chat, but not in a newer chat', async () => {
  const { chatApi, sendRequest } = createSandboxApi(world)
  const chat = await chatApi.openChat()
  const older = await chatApi.openChatIn(chat)
  await chatApi.send(chat, '$ true')
  await loseMachine(world, chat)
  await world.db`update sessions set sandbox_expires_at = now() where id = ${chat.sessionId}`
  expect((await sendRequest('POST', '', chat)).status).toBe(200)
  const newer = await chatApi.openChatIn(chat)
  for (const [at, isAnnounced] of [
    [chat, true],
    [older, true],
    [newer, false],
    [chat, false],
  ] as const) {
    const types = listTypes(await chatApi.send(at, 'hello'))
    expect(types.includes('data-sandbox-loss')).toBe(isAnnounced)
  }
})

test('a sandbox cannot reach the address on which the machine serves its sandboxes', async () => {
  const { chatApi, run } = createSandboxApi(world)
  const chat = await chatApi.openChat()
  const directCommand = `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo open || echo closed`
  expect(await run(chat, directCommand)).toBe('closed\n')
  const proxiedCommand = `curl -sS -o /dev/null -w '%{http_code}' --noproxy '' -x $http_proxy http://127.0.0.1:${port}/`
  expect(await run(chat, proxiedCommand)).toBe('403')
})
