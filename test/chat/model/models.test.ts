import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFakeModel, type FakeResponse, type FakeModel } from '../../world/models/fake-model.ts'
import { listFaults, listFrames, readTranscript, shownText, listTypes } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { createChatApi, type OpenChat } from '../chat-api.ts'

let model: FakeModel
let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  model = await createFakeModel()
  model.list([
    {
      id: 'some-vendor/listed',
      context_window: 200_000,
      architecture: { input_modalities: ['text'] },
      pricing: { input: '0.000003', output: '0.000015', input_cache_read: '3e-7' },
    },
  ])
  world = await createWorld({
    settings: {
      MODEL_BASE_URL: model.url,
      MODEL_API_KEY: 'key-of-the-endpoint',
      GATEWAY_BASE_URL: model.url,
      GATEWAY_API_KEY: 'key-of-the-gateway',
      MODEL_PRICES: '{"custom/priced":{"input":10,"cachedInput":1,"output":20}}',
    },
  })
  chatApi = createChatApi(world)
})
afterAll(async () => {
  await world.close()
  await model.close()
})
beforeEach(() => model.always({ text: 'a calm answer' }))

const choose = async (chat: OpenChat, modelId: string): Promise<void> => {
  const { status } = await world.request('PATCH', `/api/sessions/${chat.sessionId}/chats/${chat.chatId}`, {
    key: chat.account.key,
    body: { modelId },
  })
  expect(status).toBe(200)
}

test('an OpenAI-compatible endpoint serves models with custom/ ids, including the default model', async () => {
  const chat = await chatApi.openChat()
  const before = model.requests.length
  const transcript = await chatApi.send(chat, 'What is new?')
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('a calm answer')
  const request = model.requests[before]
  expect(request?.headers.authorization).toBe('Bearer key-of-the-endpoint')
  expect(request?.body.model).toBe('default')
  expect(JSON.stringify(request?.body.messages)).toContain('What is new?')
  expect(request?.body.tools).toHaveLength(10)
  const metadata = (await chatApi.load(chat)).messages[1]?.metadata
  expect(metadata).toMatchObject({ modelId: 'custom/default', totalMessageUsage: { inputTokens: 12, outputTokens: 5 } })
})

test('the gateway serves models with all other ids, and a turn is charged the price that the gateway reports', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  await choose(chat, 'some-vendor/some-model')
  const before = model.requests.length
  model.next({ text: 'priced', cost: '0.00131' })
  const response = await chatApi.post(chat, 'How much?')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  await readTranscript(response)
  expect(model.requests[before]?.headers.authorization).toBe('Bearer key-of-the-gateway')
  expect(model.requests[before]?.body.model).toBe('some-vendor/some-model')
  const [charge] = await world.db<{ amount: number }[]>`
    select amount from credit_ledger where reference = ${`chat:${runId}:main:some-vendor/some-model`}`
  expect(charge?.amount).toBe(-1310)
})

const readCharge = async (runId: string): Promise<{ credits: number; cached: number } | undefined> => {
  const [row] = await world.db<{ credits: number; cached: number }[]>`
    select credits, cached_input_tokens as cached from usage_events where run_id = ${runId}`
  return row
}
const cachedUsage = {
  prompt_tokens: 1000,
  completion_tokens: 100,
  total_tokens: 1100,
  prompt_tokens_details: { cached_tokens: 800 },
}

test.each([
  // 200 at 3, 800 at 0.3 and 100 at 15 USD per million tokens.
  ['the catalog of the gateway', 'some-vendor/listed', 2340, { input: 3e-6, cachedInput: 3e-7, output: 1.5e-5 }],
  // 200 at 10, 800 at 1 and 100 at 20.
  ['MODEL_PRICES', 'custom/priced', 4800, { input: 1e-5, cachedInput: 1e-6, output: 2e-5 }],
])(
  'a turn without a reported cost is priced by %s, with cached tokens at the cached price',
  async (_, modelId, credits, prices) => {
    const chat = await chatApi.openChatWithoutCommands()
    await choose(chat, modelId)
    model.next({ text: 'priced', usage: cachedUsage })
    const response = await chatApi.post(chat, 'How much?')
    const runId = response.headers.get('x-workflow-run-id') ?? ''
    expect(listFaults(await readTranscript(response))).toEqual([])
    expect(await readCharge(runId)).toEqual({ credits, cached: 800 })
    const [step] = await world.db<{ prices: object; cost: string }[]>`
    select prices, cost_usd::text as cost from run_steps where run_id = ${runId}`
    expect(step?.prices).toEqual(prices)
    expect(Number(step?.cost)).toBeCloseTo(credits / 1e6, 9)
  },
)

test('an interrupted model call is charged an estimated price', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  await choose(chat, 'some-vendor/listed')
  model.next({ text: 'four characters make a token '.repeat(50), breakAfter: 150, breakWith: 'hang' })
  const response = await chatApi.post(chat, 'Go')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await eventually('most of the answer', async () => {
    const live = await readTranscript(
      await chatApi.resume(chat),
      ({ frames }) => frames.reduce((sum, { body }) => sum + body.length, 0) > 700,
    )
    return shownText(live).length > 400 || undefined
  })
  expect((await chatApi.stop(chat)).status).toBe(200)
  await reading
  // More than a hundred output tokens at 15 USD per million.
  expect((await readCharge(runId))?.credits).toBeGreaterThan(1500)
})

type ModelList = {
  models: { id: string; works: boolean | null; lastCall: { outcome: string } | null }[]
  anyModel: boolean
}

const listModels = async (): Promise<ModelList> => {
  const account = await world.makeAccount()
  return (await world.request<ModelList>('GET', '/api/ai/models', { key: account.key })).body
}

test('the model list shows context sizes, prices, and whether models work', async () => {
  const { models, anyModel } = await listModels()
  expect([anyModel, models.map(({ id }) => id)]).toEqual([
    true,
    ['custom/default', 'custom/priced', 'local/assistant', 'some-vendor/listed'],
  ])
  expect(models[0]).toMatchObject({ isDefault: true, contextWindow: 128_000, prices: null, pricesFrom: null })
  expect(models[1]).toMatchObject({ isDefault: false, prices: { input: 10, cachedInput: 1, output: 20 } })
  expect(models[1]).toMatchObject({ pricesFrom: 'settings' })
  expect(models[2]).toMatchObject({ works: null, lastCall: null })
  expect(models[3]).toMatchObject({ contextWindow: 200_000, outputReserve: 8192, pricesFrom: 'gateway' })
  expect(models[3]).toMatchObject({ prices: { input: 3, cachedInput: 0.3, output: 15 } })

  const chat = await chatApi.openChatWithoutCommands()
  const untilRecorded = (outcome: string) =>
    eventually(`the outcome ${outcome}`, async () => {
      const entry = (await listModels()).models.find(({ id }) => id === 'custom/default')
      return entry?.lastCall?.outcome === outcome ? entry : undefined
    })
  model.next({ status: 401, body: '{}' })
  await chatApi.send(chat, 'Go')
  expect(await untilRecorded('refused')).toMatchObject({ works: false })
  await chatApi.send(chat, 'Go')
  expect(await untilRecorded('answered')).toMatchObject({ works: true })
})

test('a tool call from a vendor runs in the sandbox, and the vendor receives its result', async () => {
  const chat = await chatApi.openChat()
  const before = model.requests.length
  model.next({ calls: [{ name: 'bash', arguments: { command: 'echo $((6 * 7))' } }] }, { text: 'It is 42.' })
  const transcript = await chatApi.send(chat, 'Calculate')
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('It is 42.')
  const second = model.requests[before + 1]?.body.messages as { role: string; content: unknown }[]
  expect(second.at(-1)?.role).toBe('tool')
  expect(JSON.stringify(second.at(-1)?.content)).toContain('42\\\\n')
})

const failures: [string, FakeResponse][] = [
  ['429 with Retry-After', { status: 429, headers: { 'retry-after': '1' }, body: '{}' }],
  ['a stream that is cut', { text: 'half an answer that', breakAfter: 3, breakWith: 'cut' }],
]
test.each(failures)('%s is retried and does not change the message', async (_, failure) => {
  const chat = await chatApi.openChatWithoutCommands()
  model.next(failure)
  const transcript = await chatApi.send(chat, 'Try')
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('a calm answer')
  const texts = (await chatApi.load(chat)).messages[1]?.parts.filter((part) => part['type'] === 'text')
  expect(texts).toHaveLength(1)
  expect(texts?.[0]).toMatchObject({ text: 'a calm answer' })
})

test.each<[string, FakeResponse]>([
  ['one byte at a time', { text: 'slow but whole', bytewise: true }],
  ['with two finishes', { text: 'slow but whole', finish: ['stop', 'length'] }],
  ['with comments in between', { text: 'slow but whole', comments: true }],
])('a response sent %s is complete', async (_, modelResponse) => {
  const chat = await chatApi.openChatWithoutCommands()
  model.next(modelResponse)
  const transcript = await chatApi.send(chat, 'Go')
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('slow but whole')
})

test('a rejected credential fails the run immediately, without the text of the vendor', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const before = model.requests.length
  model.next({ status: 401, body: '{"error":{"message":"key-of-the-endpoint is wrong"}}' })
  const transcript = await chatApi.send(chat, 'Go')
  expect(listFaults(transcript)).toEqual([])
  expect(listFrames(transcript).at(-2)).toEqual({ type: 'error', errorText: 'The model call failed' })
  expect(JSON.stringify(transcript)).not.toContain('key-of-the-endpoint')
  expect(model.requests).toHaveLength(before + 1)
})

const implausible: [string, FakeResponse][] = [
  ['fractional tokens', { text: 'odd', usage: { prompt_tokens: 12.5, completion_tokens: 0.4 } }],
  ['too many tokens', { text: 'odd', usage: { prompt_tokens: 3e12, completion_tokens: 2 ** 31 } }],
  ['negative tokens', { text: 'odd', usage: { prompt_tokens: -5, completion_tokens: -1e300 } }],
  ['an excessive price', { text: 'odd', cost: 1e30 }],
  ['an excessive price as text', { text: 'odd', cost: '1e300' }],
  ['a negative price', { text: 'odd', cost: -3 }],
]
test.each(implausible)('a turn whose server reports %s ends and is charged, and the chat continues', async (_, odd) => {
  const chat = await chatApi.openChatWithoutCommands()
  model.next(odd)
  const first = await chatApi.post(chat, 'Go')
  const runId = first.headers.get('x-workflow-run-id') ?? ''
  const transcript = await readTranscript(first)
  expect(listFaults(transcript)).toEqual([])
  expect(listFrames(transcript).at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' })
  const [row] = await world.db<{ credits: number; input: number; output: number }[]>`
    select credits, input_tokens as input, output_tokens as output from usage_events where run_id = ${runId}`
  expect(row?.credits).toBe(1)
  expect([0, 12, 13]).toContain(row?.input)
  expect([0, 5]).toContain(row?.output)
  expect(await world.db`select 1 from run_alerts`).toEqual([])
  expect(shownText(await chatApi.send(chat, 'And now?'))).toBe('a calm answer')
})

test('a stop closes the connection of an endless model response', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const before = model.requests.length
  model.next({ text: 'on', breakAfter: 1, breakWith: 'endless' })
  const response = await chatApi.post(chat, 'Go')
  const reading = readTranscript(response)
  await eventually('the first frames', async () => {
    const live = await readTranscript(await chatApi.resume(chat), ({ frames }) => frames.length >= 4)
    return live.frames.length >= 4 ? true : undefined
  })
  expect((await chatApi.stop(chat)).status).toBe(200)
  await model.requests[before]?.closed
  expect(listTypes(await reading).slice(-2)).toEqual(['abort', 'finish'])
})

/** Sends a turn together with the whole history. */
const sendWithHistory = async (chat: OpenChat, content: string): Promise<string> => {
  const { messages } = await chatApi.load(chat)
  const question = { id: randomUUID(), role: 'user', content }
  return shownText(await chatApi.send(chat, content, { messages: [...messages, question] }))
}

const lastMessages = (): Record<string, unknown>[] =>
  (model.requests.at(-1)?.body.messages ?? []) as Record<string, unknown>[]

test('reasoning is sent with its calls in later turns to servers that require it', async () => {
  const chat = await chatApi.openChat()
  const call = { id: 'a', name: 'bash', arguments: { command: 'true' } }
  model.next({ reasoning: 'I look first.', calls: [call] }, { text: 'Looked.' })
  await chatApi.send(chat, 'Look')
  model.always((request) => {
    const calls = (request.body.messages as Record<string, unknown>[]).filter((message) => 'tool_calls' in message)
    return calls.length > 0 && calls.every((message) => message['reasoning_content'] === 'I look first.')
      ? { text: 'As before.' }
      : { status: 400, body: '{"error":{"message":"bad request"}}' }
  })
  expect(await sendWithHistory(chat, 'And now?')).toBe('As before.')
  await choose(chat, 'some-vendor/some-model')
  model.always({ text: 'Another vendor.' })
  expect(await sendWithHistory(chat, 'And you?')).toBe('Another vendor.')
  expect(JSON.stringify(lastMessages())).not.toContain('I look first.')
})

test('a chat continues after a call of an unknown tool with an invalid name', async () => {
  const chat = await chatApi.openChat()
  model.next({ calls: [{ id: 'functions.bash:0', name: 'functions.bash', arguments: { command: 'true' } }] })
  expect(shownText(await chatApi.send(chat, 'Look'))).toBe('a calm answer')
  expect(await sendWithHistory(chat, 'Again')).toBe('a calm answer')
  expect(JSON.stringify(lastMessages())).toContain('"functions_bash"')
})

test('a complete call in a response cut at the output limit runs, and the finish reason is `length`', async () => {
  const chat = await chatApi.openChat()
  const call = { name: 'bash', arguments: { command: 'echo ran' } }
  model.next({ text: 'I run', calls: [call], finish: 'length' }, { text: 'and on and', finish: 'length' })
  const transcript = await chatApi.send(chat, 'Run it')
  expect(listFaults(transcript)).toEqual([])
  expect(JSON.stringify(lastMessages().at(-1))).toContain('ran')
  expect(listFrames(transcript).at(-1)).toMatchObject({ type: 'finish', finishReason: 'length' })
  const metadata = (await chatApi.load(chat)).messages[1]?.metadata
  expect(metadata).toMatchObject({
    lastStepFinishReason: 'length',
    stepFinishReasons: [{ finishReason: 'length' }, { finishReason: 'length' }],
  })
})

test('a call cut at the output limit does not run, and its result states the reason', async () => {
  const chat = await chatApi.openChat()
  model.next({ calls: [{ name: 'bash', arguments: '{"command":"echo r' }], finish: 'length' })
  const transcript = await chatApi.send(chat, 'Run it')
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('a calm answer')
  expect(lastMessages().at(-1)?.['content']).toContain('output limit was reached before this call was complete')
})

test('an attachment of an unsupported type is rejected, and the chat continues', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const url = 'data:application/zip;base64,aGk='
  const file = { type: 'file', mediaType: 'application/zip', filename: 'songs.zip', url }
  const body = { sessionId: chat.sessionId, chatId: chat.chatId }
  const parts = [{ type: 'text', text: 'See' }, file]
  const refused = await world.fetch('POST', '/api/chat', {
    key: chat.account.key,
    body: { ...body, messages: [{ id: 'm', role: 'user', parts }] },
  })
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('cannot read application/zip')
  expect(shownText(await chatApi.send(chat, 'Then without'))).toBe('a calm answer')
})

const failedWith = (message: string): FakeResponse => ({ status: 400, body: JSON.stringify({ error: { message } }) })

const image = { type: 'file', mediaType: 'image/png', filename: 'map.png', url: 'data:image/png;base64,iVBORw0KGgo=' }

test('parts of a history that a provider rejected are omitted from later requests', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const messages = [{ id: randomUUID(), role: 'user', parts: [{ type: 'text', text: 'See' }, image] }]
  const seen: string[] = []
  model.always((request) => {
    seen.push(JSON.stringify(request.body.messages))
    return seen.at(-1)?.includes('image_url') === true
      ? failedWith('Failed to download the image map.png')
      : { text: 'A note says so.' }
  })
  const transcript = await chatApi.send(chat, 'See', { messages })
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('A note says so.')
  expect(seen).toHaveLength(2)
  expect(seen[1]).toContain(
    String.raw`map.png\" of type image/png is not shown: the provider of this model rejected it`,
  )
  expect(await sendWithHistory(chat, 'And now?')).toBe('A note says so.')
  expect(seen).toHaveLength(3)
  const question = { id: randomUUID(), role: 'user', parts: [image] }
  await chatApi.send(chat, '', { messages: [...(await chatApi.load(chat)).messages, question] })
  expect(seen[3]?.match(/image_url/g)).toHaveLength(2)
})

test('an image for a model without image input is replaced by its name', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  await choose(chat, 'some-vendor/listed')
  await chatApi.send(chat, '', { messages: [{ id: randomUUID(), role: 'user', parts: [image] }] })
  expect(lastMessages().at(-1)?.['content']).toContain('is not shown: the model does not accept images')
})

test.each([
  ['context_length_exceeded: the prompt is too long', 'The chat is too long for this model'],
  ['flagged by the content policy', 'The model refused the content of this chat'],
  ['image too large', 'The model refused an attachment of this chat'],
  ['bad request', 'The model call failed'],
])('a permanent rejection fails the run with its reason: %s', async (message, errorText) => {
  const chat = await chatApi.openChatWithoutCommands()
  model.always(failedWith(message))
  const before = model.requests.length
  const response = await chatApi.post(chat, 'Hello')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const transcript = await readTranscript(response)
  expect(listFrames(transcript).at(-2)).toEqual({ type: 'error', errorText })
  expect(model.requests).toHaveLength(before + 1)
  const timeline = await world.fetch('GET', `/api/runs/${runId}/timeline`, { key: chat.account.key })
  expect(await timeline.text()).toContain(`The model call failed: 400 ${message}`)
})
