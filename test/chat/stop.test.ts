import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFaults, listFrames, readTranscript, listTypes } from '../world/transcript.ts'
import { createWorld, type World } from '../world/world.ts'
import { createChatApi, until } from './chat-api.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld()
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

const stopped = { type: 'finish', finishReason: 'other', messageMetadata: { endReason: 'stopped' } }

test('a stop during a text ends the run, keeps the partial text and charges an estimate', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, '@stall')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await until(
    () => chatApi.resume(chat).then((live) => readTranscript(live, ({ frames }) => frames.length >= 4)),
    ({ frames }) => frames.length >= 4,
  )
  const stopResponse = await chatApi.stop(chat)
  expect([stopResponse.status, await stopResponse.json()]).toEqual([200, { success: true, stopped: true }])
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(listTypes(transcript).slice(-4)).toEqual(['text-end', 'finish-step', 'abort', 'finish'])
  expect(listFrames(transcript).at(-1)).toEqual(stopped)
  expect(await chatApi.runStatus(chat.account, runId)).toBe('cancelled')
  const { messages } = await chatApi.load(chat)
  expect(messages[1]?.parts.find((part) => part['type'] === 'text')).toMatchObject({ state: 'done' })
  expect(messages[1]?.metadata).toMatchObject({ endReason: 'stopped', runId })
  const usage =
    await world.db`select input_tokens as input, output_tokens as output from usage_events where run_id = ${runId}`
  expect(usage).toHaveLength(1)
  expect(usage[0]?.['input']).toBeGreaterThan(0)
})

test('a stop during a tool call kills the command and cancels its part', async () => {
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, '$ sleep 60; echo survived > survived.txt')
  const reading = readTranscript(response)
  await until(
    async () =>
      world.db`select 1 from run_tool_calls where started_at is not null and run_id = ${response.headers.get('x-workflow-run-id')}`,
    (rows) => rows.length === 1,
  )
  const stopResponse = await chatApi.stop(chat)
  expect(stopResponse.status).toBe(200)
  const frames = listFrames(await reading)
  expect(frames.find((frame) => frame.type === 'tool-output-error')).toMatchObject({ errorText: 'Cancelled' })
  expect(frames.at(-1)).toEqual(stopped)
  const part = (await chatApi.load(chat)).messages[1]?.parts.find(({ type }) => type === 'tool-bash')
  expect(part).toMatchObject({ state: 'output-error', errorText: 'Cancelled' })
  const after = await chatApi.send(chat, '$ pgrep sleep || echo gone; ls survived.txt || true')
  expect(JSON.stringify(listFrames(after))).toContain('gone')
})

test('a chat accepts the next turn as soon as the stop has responded', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const first = await chatApi.post(chat, '@stall')
  await chatApi.stop(chat)
  const next = await chatApi.send(chat, '@say next')
  expect(listFaults(next)).toEqual([])
  await first.body?.cancel()
})

test('a stop while the model is silent does not count as a model failure', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, '@stall')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  await readTranscript(response, ({ frames }) => frames.length >= 4)
  expect((await chatApi.stop(chat)).status).toBe(200)
  const heads = await world.db`select failures, abandoned_reason from stream_head where run_id = ${runId}`
  expect([...heads]).toEqual([{ failures: 0, abandonedReason: null }])
})

test('a stop without an active run has no effect', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.stop(chat)
  expect([response.status, await response.json()]).toEqual([200, { success: true, stopped: false }])
})

test('parallel stops produce one end, one message and one charge', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const { id } = chat.account
  const readBalance = async (): Promise<number> => {
    const [row] = await world.db<{ credits: number }[]>`
      select remaining_credits as credits from credit_balances where account_id = ${id}`
    return row?.credits ?? 0
  }
  const before = await readBalance()
  const response = await chatApi.post(chat, '@stall')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await until(
    () => chatApi.resume(chat).then((live) => readTranscript(live, ({ frames }) => frames.length >= 4)),
    ({ frames }) => frames.length >= 4,
  )
  const responses = await Promise.all(Array.from({ length: 6 }, () => chatApi.stop(chat)))
  const results = await Promise.all(
    responses.map(async (stopResponse) => [stopResponse.status, await stopResponse.json()]),
  )
  expect(results.every(([status]) => status === 200)).toBe(true)
  expect(results).toContainEqual([200, { success: true, stopped: true }])
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(listTypes(transcript).filter((type) => type === 'abort')).toHaveLength(1)
  const charges = await world.db<{ reference: string; amount: number }[]>`
    select reference, amount from credit_ledger where account_id = ${id} and kind = 'charge'`
  expect([...charges]).toEqual([{ reference: `chat:${runId}:main:local/assistant`, amount: -1 }])
  const used = await world.db`select reference, credits from usage_events where account_id = ${id}`
  expect([...used]).toEqual([{ reference: charges[0]?.reference, credits: 1 }])
  expect(await readBalance()).toBe(before - 1)
  expect((await chatApi.load(chat)).messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(await world.db`select 1 from runs where chat_id = ${chat.chatId} and status <> 'cancelled'`).toEqual([])
})

test.each([0, 5, 15, 30, 60, 120, 250, 400])(
  'a stop %i ms after the turn began produces one well-formed end',
  async (delayMs) => {
    const chat = await chatApi.openChat()
    const response = await chatApi.post(chat, '@words 4\n$ echo raced')
    const reading = readTranscript(response)
    // The delay determines at which point of the turn the stop arrives.
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    const stopResponse = await chatApi.stop(chat)
    expect(stopResponse.status).toBe(200)
    const transcript = await reading
    expect(listFaults(transcript)).toEqual([])
    expect((await chatApi.load(chat)).isStreaming).toBe(false)
  },
)

test('a stop ends a run that no worker has begun', async () => {
  const idle = await createWorld({ worker: false })
  try {
    const idleApi = createChatApi(idle)
    const account = await idle.makeAccount()
    const started = await idle.fetch('POST', '/api/chat/runs', { key: account.key, body: { prompt: 'hello' } })
    const { runId, chatId, sessionId } = (await started.json()) as Record<string, string>
    expect(await idleApi.runStatus(account, runId!)).toBe('queued')
    const chat = { account, chatId: chatId!, sessionId: sessionId! }
    const reading = idleApi.resume(chat).then((response) => readTranscript(response))
    const stopResponse = await idleApi.stop(chat)
    expect(await stopResponse.json()).toEqual({ success: true, stopped: true })
    expect(listFaults(await reading)).toEqual([])
    expect(await idleApi.runStatus(account, runId!)).toBe('cancelled')
  } finally {
    await idle.close()
  }
})

test('a stop rejects invalid input and other accounts', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const outsider = await world.makeAccount()
  const sendRequest = async (chatId: string, key: string) => {
    const response = await world.fetch('POST', `/api/chat/${chatId}/stop`, { key })
    return [response.status, ((await response.json()) as { error: string }).error]
  }
  expect(await sendRequest('nonsense', chat.account.key)).toEqual([400, 'chatId must be a UUID'])
  expect(await sendRequest(randomUUID(), chat.account.key)).toEqual([404, 'Chat not found'])
  expect(await sendRequest(chat.chatId, outsider.key)).toEqual([403, 'Forbidden'])
})
