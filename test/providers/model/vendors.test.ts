import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ModelError, type ModelCall, type ModelPart } from '../../../providers/model/index.ts'
import { createModels } from '../../../providers/model/router.ts'

const secret = 'key-of-the-vendor'
type VendorResponse = { status?: number; headers?: Record<string, string>; body: string; ending?: 'cut' | 'hang' }
type Received = { url: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }

let server: Server
let nextResponse: VendorResponse
const received: Received[] = []

const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { url = '', headers } = request
  received.push({ url, headers, body: (await json(request)) as Record<string, unknown> })
  const {
    status = 200,
    headers: responseHeaders = { 'content-type': 'text/event-stream' },
    body,
    ending,
  } = nextResponse
  response.writeHead(status, responseHeaders).write(body, () => {
    if (ending === 'cut') response.destroy()
    else if (ending === undefined) response.end()
  })
}

beforeAll(async () => {
  server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const tool = {
  type: 'function' as const,
  name: 'run bash',
  description: 'Runs a command',
  inputSchema: { type: 'object' as const, properties: { command: { type: 'string' as const } } },
}
const prompt: ModelCall['prompt'] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
]

const collect = async (
  modelId: string,
  next: VendorResponse,
  { signal = new AbortController().signal, silenceTimeoutMs = 5000 } = {},
) => {
  nextResponse = next
  const access = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, apiKey: secret }
  const models = createModels({
    localWordsPerSecond: 0,
    custom: { baseUrl: undefined, apiKey: undefined },
    gateway: { baseUrl: undefined, apiKey: undefined },
    vendors: { anthropic: access, google: access },
    contextWindow: 1000,
    silenceTimeoutMs,
  })
  const parts: ModelPart[] = []
  let error: unknown
  try {
    await models.stream({ modelId, prompt, tools: [tool], idempotencyKey: 'once' }, signal, (part) => {
      parts.push(part)
      return undefined
    })
  } catch (thrown) {
    error = thrown
  }
  await models.close()
  return { parts, error }
}

const readError = async (...request: Parameters<typeof collect>): Promise<ModelError> => {
  const { error } = await collect(...request)
  if (!(error instanceof ModelError)) throw new Error('the call did not fail with a ModelError', { cause: error })
  return error
}

const joinText = (parts: ModelPart[]): string =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')

const events = (...data: object[]): string => data.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

const messageStart = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [],
    usage: { input_tokens: 20, cache_read_input_tokens: 5, cache_creation_input_tokens: 3, output_tokens: 1 },
  },
}
const textEvents = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
  { type: 'content_block_stop', index: 0 },
]
const toolEvents = [
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'run_bash', input: {} },
  },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"command":' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"ls"}' } },
  { type: 'content_block_stop', index: 1 },
]
const messageStop = [
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
]

const candidate = (parts: object[], overrides: object = {}): object => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...overrides }],
  usageMetadata: {
    promptTokenCount: 28,
    cachedContentTokenCount: 5,
    candidatesTokenCount: 9,
    totalTokenCount: 37,
  },
})

const vendors = [
  {
    name: 'anthropic',
    modelId: 'anthropic/claude-x',
    whole: events(messageStart, ...textEvents, ...toolEvents, ...messageStop),
    incomplete: events(messageStart, ...textEvents.slice(0, 3)),
    path: '/v1/messages',
    keyHeader: 'x-api-key',
    usage: { inputTokens: { total: 28, noCache: 20, cacheRead: 5, cacheWrite: 3 }, outputTokens: { total: 9 } },
    fault: { type: 'error', error: { type: 'invalid_request_error', message: `prompt is too long for ${secret}` } },
  },
  {
    name: 'google',
    modelId: 'google/gemini-x',
    whole: events(
      candidate([{ text: 'Hel' }]),
      candidate([{ text: 'lo' }]),
      candidate([{ functionCall: { name: 'run_bash', args: { command: 'ls' } } }], { finishReason: 'STOP' }),
    ),
    incomplete: events(candidate([{ text: 'Hel' }])),
    path: '/v1/models/gemini-x:streamGenerateContent?alt=sse',
    keyHeader: 'x-goog-api-key',
    usage: { inputTokens: { total: 28, noCache: 23, cacheRead: 5 }, outputTokens: { total: 9 } },
    fault: { error: { code: 400, status: 'INVALID_ARGUMENT', message: `prompt is too long for ${secret}` } },
  },
] as const

describe.each(vendors)('$name', ({ modelId, whole, incomplete, path, keyHeader, usage, fault }) => {
  it('streams text, a tool call under its original name, and usage', async () => {
    const { parts, error } = await collect(modelId, { body: whole })
    expect(error).toBeUndefined()
    expect(joinText(parts)).toBe('Hello')
    const call = parts.find((part) => part.type === 'tool-call')
    expect(call).toMatchObject({ toolName: 'run bash' })
    expect(JSON.parse(call?.input ?? '')).toEqual({ command: 'ls' })
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'tool-calls' }, usage })
  })

  it('sends the prompt, the tools and the key', async () => {
    await collect(modelId, { body: whole })
    const { url, headers, body } = received.at(-1) ?? { url: '', headers: {}, body: {} }
    expect([url, headers[keyHeader], headers['idempotency-key']]).toEqual([path, secret, 'once'])
    const text = JSON.stringify(body)
    for (const expectedText of ['Be brief.', 'Hi', 'run_bash', 'Runs a command']) expect(text).toContain(expectedText)
    expect(text).not.toContain(secret)
  })

  it.each([
    ['the stream ends without a finish reason', {}],
    ['the connection is lost', { ending: 'cut' }],
  ] as const)('fails with a retryable error if %s', async (_, overrides) => {
    const error = await readError(modelId, { body: incomplete, ...overrides })
    expect(error).toMatchObject({ retryable: true })
  })

  it('fails with a retryable error if the server is silent, and rejects with the abort reason when aborted', async () => {
    const silent = await readError(modelId, { body: incomplete, ending: 'hang' }, { silenceTimeoutMs: 50 })
    expect(silent).toMatchObject({ retryable: true, message: 'the model provider sent no data for 0.05 s' })
    const stop = new AbortController()
    const reason = new Error('stopped')
    const collecting = collect(modelId, { body: incomplete, ending: 'hang' }, { signal: stop.signal })
    stop.abort(reason)
    expect((await collecting).error).toBe(reason)
  })

  it('fails with a retryable error if the stream is malformed', async () => {
    expect(await readError(modelId, { body: 'data: {]\n\n' })).toMatchObject({ retryable: true })
  })

  it.each([
    [429, { 'retry-after': '7' }, { retryable: true, retryAfterMs: 7000 }],
    [503, {}, { retryable: true }],
    [401, {}, { retryable: false, detail: undefined }],
    [404, {}, { retryable: false, rejection: 'unknown-model' }],
    [400, {}, { retryable: false, rejection: 'length' }],
  ])('maps the status %i to an error that does not contain the credential', async (status, headers, expected) => {
    const body = JSON.stringify(fault)
    const error = await readError(modelId, {
      status,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    expect(error).toMatchObject(expected)
    expect(`${error.message} ${error.detail ?? ''}`).not.toContain(secret)
  })
})

it("an overload error in Anthropic's stream is retryable", async () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  const error = await readError('anthropic/claude-x', { body: events(messageStart, ...textEvents, overloaded) })
  expect(error.retryable).toBe(true)
  expect(error.message).toContain('Overloaded')
})

it('requests to Anthropic have cache marks on the system prompt and on the last message', async () => {
  await collect('anthropic/claude-x', { body: vendors[0].whole })
  const body = received.at(-1)?.body
  expect(JSON.stringify(body?.['system'])).toContain('"cache_control":{"type":"ephemeral"}')
  expect(JSON.stringify(body?.['messages'])).toContain('"cache_control":{"type":"ephemeral"}')
})
