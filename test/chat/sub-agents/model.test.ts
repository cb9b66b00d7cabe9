import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFakeModel, type FakeResponse, type FakeModel } from '../../world/models/fake-model.ts'
import { listFaults, readTranscript, shownText } from '../../world/transcript.ts'
import { createWorld, type World } from '../../world/world.ts'
import { createChatApi } from '../chat-api.ts'

const small = 'some-vendor/small'

let model: FakeModel
let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  model = await createFakeModel()
  model.list([{ id: small, pricing: { input: '0.000003', output: '0.000015', input_cache_read: '3e-7' } }])
  world = await createWorld({
    settings: {
      MODEL_BASE_URL: model.url,
      GATEWAY_BASE_URL: model.url,
      GATEWAY_API_KEY: 'key-of-the-gateway',
      SUBAGENT_MODEL: small,
    },
  })
  chatApi = createChatApi(world)
})
afterAll(async () => {
  await world.close()
  await model.close()
})

type Message = { role: string; content?: unknown; tool_calls?: { function: { name: string } }[] }

/** Sets the responses of each model. The last response of a list is repeated. */
const setResponses = (main: FakeResponse[], sub: FakeResponse[]): void => {
  const counts = { main: 0, sub: 0 }
  model.always(({ body }) => {
    const [kind, responses] = body.model === small ? (['sub', sub] as const) : (['main', main] as const)
    return responses[Math.min(counts[kind]++, responses.length - 1)] ?? {}
  })
}

const task = { name: 'task', arguments: { task: 'Count the shows', instructions: 'Look into shows.csv.' } }

test('a model call of a sub-agent contains only the task and has a separate idempotency key', async () => {
  setResponses(
    [{ text: 'I delegate.', calls: [task] }, { text: 'There are three.' }],
    [
      { reasoning: 'hm', calls: [{ name: 'bash', arguments: { command: 'echo 3' } }], cost: '0.002' },
      { text: 'I counted three shows.', cost: '0.003' },
    ],
  )
  const chat = await chatApi.openChat()
  const before = model.requests.length
  const response = await chatApi.post(chat, 'How many shows did I play?')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const transcript = await readTranscript(response)
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('I delegate.There are three.')
  const requests = model.requests.slice(before)
  expect(requests.map(({ body }) => body.model)).toEqual(['default', small, small, 'default'])
  const names = requests.map(({ headers }) => String(headers['idempotency-key']))
  expect(new Set(names).size).toBe(4)
  expect(names.every((name) => name.startsWith(`${runId}:`))).toBe(true)
  const [, first, second, last] = requests.map(({ body }) => body.messages as Message[])
  expect(JSON.stringify(first)).toContain('Count the shows')
  expect(JSON.stringify(first)).toContain('Look into shows.csv.')
  expect(JSON.stringify(first)).toContain('You are a sub-agent')
  expect(JSON.stringify(first)).not.toContain('How many shows did I play?')
  const tools = requests[1]?.body.tools as { function: { name: string } }[]
  const offered = tools.map((tool) => tool.function.name)
  expect(offered).toEqual(expect.arrayContaining(['bash', 'read', 'write']))
  expect(offered.filter((name) => !['bash', 'read', 'write', 'grep', 'glob'].includes(name))).toEqual([])
  expect(second?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  expect(JSON.stringify(second?.at(-1))).toContain('3\\\\n')
  // The parent receives only the last text, without the steps before it.
  expect(last?.at(-1)).toMatchObject({ role: 'tool', content: 'I counted three shows.' })
  expect(JSON.stringify(last)).not.toContain('echo 3')
  const ledger = await world.db<{ reference: string; amount: number }[]>`
    select reference, amount from credit_ledger where reference like ${`chat:${runId}:%`} order by reference`
  expect(ledger).toEqual([
    { reference: `chat:${runId}:main:custom/default`, amount: -1 },
    { reference: `chat:${runId}:subagent:${small}`, amount: -5000 },
  ])
})

test('a model call of a sub-agent succeeds at the third attempt, and each attempt has a different idempotency key', async () => {
  setResponses(
    [{ calls: [task] }, { text: 'All good.' }],
    [{ status: 503, body: '{}' }, { status: 500, body: '{}' }, { text: 'Third time lucky.' }],
  )
  const chat = await chatApi.openChatWithoutCommands()
  const before = model.requests.length
  const transcript = await chatApi.send(chat, 'Try')
  expect(listFaults(transcript)).toEqual([])
  const names = model.requests
    .slice(before)
    .filter(({ body }) => body.model === small)
    .map(({ headers }) => String(headers['idempotency-key']))
  expect(names.map((name) => name.slice(-4))).toEqual([':0:1', ':0:2', ':0:3'])
  const last = model.requests.at(-1)?.body.messages as Message[]
  expect(last.at(-1)).toMatchObject({ role: 'tool', content: 'Third time lucky.' })
})

test('a sub-agent without a text is reported as finished', async () => {
  setResponses([{ calls: [task] }, { text: 'Fine.' }], [{ text: '' }])
  const chat = await chatApi.openChatWithoutCommands()
  const transcript = await chatApi.send(chat, 'Try')
  expect(listFaults(transcript)).toEqual([])
  const last = model.requests.at(-1)?.body.messages as Message[]
  expect(last.at(-1)).toMatchObject({ role: 'tool', content: 'Sub-task finished' })
})

test('a sub-agent whose server reports no cost is priced by the catalog, with cached tokens at the cached price', async () => {
  const usage = {
    prompt_tokens: 1000,
    completion_tokens: 100,
    total_tokens: 1100,
    prompt_tokens_details: { cached_tokens: 800 },
  }
  setResponses([{ calls: [task] }, { text: 'Fine.' }], [{ text: 'Done.', usage }])
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, 'Try')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  expect(listFaults(await readTranscript(response))).toEqual([])
  const [row] = await world.db<{ credits: number; cached: number }[]>`
    select credits, cached_input_tokens as cached from usage_events
    where run_id = ${runId} and agent_type = 'subagent'`
  expect(row).toEqual({ credits: 2340, cached: 800 })
})

test('a sub-agent whose server reports implausible usage is charged within limits, and its turn ends', async () => {
  setResponses(
    [{ calls: [task] }, { text: 'Fine.' }],
    [{ text: 'Done.', usage: { prompt_tokens: 12.5, completion_tokens: 3e12 }, cost: 1e30 }],
  )
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, 'Try')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  expect(listFaults(await readTranscript(response))).toEqual([])
  const [row] = await world.db<{ credits: number; input: number; output: number }[]>`
    select credits, input_tokens as input, output_tokens as output from usage_events
    where run_id = ${runId} and agent_type = 'subagent'`
  expect(row).toEqual({ credits: 39, input: 13, output: 0 })
})
