import { setMaxListeners } from 'node:events'
import type { LanguageModelV3Prompt, LanguageModelV3ToolCallPart, SharedV3ProviderOptions } from '@ai-sdk/provider'
import { OpenAI, RateLimitError } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ModelError, type ModelCall, type ModelPart, type ModelPort } from '../../../providers/model/index.ts'
import { createCustomModel, createGatewayModel } from '../../../providers/model/gateway.ts'
import { createOpenAiModel } from '../../../providers/model/openai/openai.ts'
import { createModels } from '../../../providers/model/router.ts'
import { createFakeModel, type FakeResponse, type FakeModel } from '../../world/models/fake-model.ts'

const secret = 'sk-very-secret-key'
let server: FakeModel
let model: ReturnType<typeof createOpenAiModel>

const createTestModel = (options: { silenceTimeoutMs?: number; cacheMarks?: boolean; vendor?: string } = {}) =>
  createOpenAiModel({
    name: 'test',
    baseUrl: server.url,
    apiKey: secret,
    contextWindow: 100_000,
    modelName: (modelId) => modelId.slice(modelId.indexOf('/') + 1),
    silenceTimeoutMs: options.silenceTimeoutMs ?? 5000,
    cacheMarks: () => options.cacheMarks === true,
    vendor: () => options.vendor,
  })

const bash = {
  type: 'function' as const,
  name: 'bash',
  description: 'Runs a command',
  inputSchema: { type: 'object' as const, properties: { command: { type: 'string' as const } } },
}
const createCall = (text = 'Hi', overrides: Partial<ModelCall> = {}): ModelCall => ({
  modelId: 'custom/fake-1',
  prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
  tools: [],
  ...overrides,
})

const collect = async (
  port: ModelPort,
  request: ModelCall = createCall(),
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelPart[]> => {
  const parts: ModelPart[] = []
  await port.stream(request, signal, (part) => {
    parts.push(part)
    return undefined
  })
  return parts
}

const callModel = (...responses: FakeResponse[]): Promise<ModelPart[]> => {
  server.next(...responses)
  return collect(model)
}

const raise = (error: Error): never => {
  throw error
}

const readError = async (work: Promise<unknown>): Promise<ModelError> => {
  const error: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof ModelError)) throw new Error('the call did not fail with a ModelError', { cause: error })
  return error
}

const joinText = (parts: ModelPart[]): string =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
const findFinish = (parts: ModelPart[]) => {
  const finishes = parts.filter((part) => part.type === 'finish')
  expect(finishes).toHaveLength(1)
  expect(parts.at(-1)).toBe(finishes[0])
  return finishes[0]
}
const listCalls = (parts: ModelPart[]) =>
  parts.filter((part) => part.type === 'tool-call').map(({ toolName, input }) => ({ toolName, input }))

beforeAll(async () => {
  server = await createFakeModel(0, { strict: false })
  model = createTestModel()
})
afterAll(async () => {
  await model.close()
  await server.close()
})

describe('a response', () => {
  it('streams text word by word and ends with its usage', async () => {
    const parts = await callModel({ text: 'The catalog holds 42 songs.' })
    expect(parts.map((part) => part.type)).toEqual([
      'stream-start',
      'response-metadata',
      'text-start',
      ...Array.from({ length: 5 }, () => 'text-delta'),
      'text-end',
      'finish',
    ])
    expect(joinText(parts)).toBe('The catalog holds 42 songs.')
    expect(findFinish(parts)).toMatchObject({
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 12, noCache: 12 }, outputTokens: { total: 5, text: 5 } },
    })
  })

  it('is requested with the model, key, usage option, tools and token limit', async () => {
    server.next({ text: 'ok' })
    await collect(model, createCall('Hi', { tools: [bash], maxOutputTokens: 77 }))
    const request = server.requests.at(-1)
    expect(request?.path).toBe('/v1/chat/completions')
    expect(request?.headers.authorization).toBe(`Bearer ${secret}`)
    expect(request?.body).toEqual({
      model: 'fake-1',
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [
        {
          type: 'function',
          function: { name: 'bash', description: 'Runs a command', parameters: bash.inputSchema },
        },
      ],
      max_tokens: 77,
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('is requested with the token limit in the field that the model expects, which is detected once', async () => {
    const newer = { modelId: 'custom/newer', maxOutputTokens: 77 }
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    server.next({ status: 400, body: JSON.stringify({ error: { message } }) }, { text: 'one' }, { text: 'two' })
    const before = server.requests.length
    expect(joinText(await collect(model, createCall('Hi', newer)))).toBe('one')
    expect(joinText(await collect(model, createCall('Hi', newer)))).toBe('two')
    const limits = server.requests
      .slice(before)
      .map(({ body }) => body as { max_tokens?: number; max_completion_tokens?: number })
      .map(({ max_tokens, max_completion_tokens }) => [max_tokens, max_completion_tokens])
    expect(limits).toEqual([
      [77, undefined],
      [undefined, 77],
      [undefined, 77],
    ])
    server.next({ text: 'old' })
    await collect(model, createCall('Hi', { maxOutputTokens: 5 }))
    expect(server.requests.at(-1)?.body).toMatchObject({ max_tokens: 5 })
  })

  it('may arrive one byte at a time, with multi-byte characters and comments between', async () => {
    const text = 'Grüße aus 東京 🎵 und zurück'
    const parts = await callModel({ text, bytewise: true, comments: true })
    expect(joinText(parts)).toBe(text)
  })

  it.each(['reasoning_content', 'reasoning'] as const)(
    'with reasoning in %s ends the reasoning before the text starts',
    async (field) => {
      const parts = await callModel({ reasoning: 'Let me think', reasoningField: field, text: 'Done' })
      const order = parts.map((part) => part.type).filter((type) => /start$|end$/.test(type))
      expect(order).toEqual(['stream-start', 'reasoning-start', 'reasoning-end', 'text-start', 'text-end'])
      expect(parts.find((part) => part.type === 'reasoning-start')).toMatchObject({
        providerMetadata: { test: { reasoningField: field } },
      })
    },
  )

  it('reports cached tokens and reasoning tokens', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 30,
      prompt_tokens_details: { cached_tokens: 60 },
      completion_tokens_details: { reasoning_tokens: 10 },
    }
    expect(findFinish(await callModel({ text: 'x', usage }))?.usage).toEqual({
      inputTokens: { total: 100, noCache: 40, cacheRead: 60, cacheWrite: undefined },
      outputTokens: { total: 30, text: 20, reasoning: 10 },
    })
  })

  it.each([0.00131, '0.00131'])('has the price that the server reports: %j', async (cost) => {
    const finish = findFinish(await callModel({ text: 'x', cost }))
    expect(finish?.providerMetadata).toEqual({ gateway: { cost } })
  })

  it('has rounded token counts and omits impossible counts', async () => {
    const usage = {
      prompt_tokens: 12.5,
      completion_tokens: 3e12,
      prompt_tokens_details: { cached_tokens: -1 },
      completion_tokens_details: { reasoning_tokens: '7' },
    }
    const finish = findFinish(await callModel({ text: 'x', usage, cost: 1e30 }))
    expect(finish?.usage).toEqual({
      inputTokens: { total: 13, noCache: 13, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    })
    expect(finish?.providerMetadata).toBeUndefined()
  })

  it('with impossible usage is reported only once', async () => {
    const reports: unknown[] = []
    const onInvalidUsage = (modelId: string, members: string[]) => reports.push([modelId, members])
    const custom = createCustomModel({ baseUrl: server.url, apiKey: undefined, contextWindow: 1000, onInvalidUsage })
    const invalidResponse = { text: 'x', usage: { prompt_tokens: 0.5, completion_tokens: 1 }, cost: '1e300' }
    server.next({ text: 'x', cost: 0 }, invalidResponse, invalidResponse)
    for (let call = 0; call < 3; call++) await collect(custom)
    expect(reports).toEqual([['custom/fake-1', ['prompt_tokens', 'cost']]])
    await custom.close()
  })

  it('has no usage and no price if the server reports none', async () => {
    const finish = findFinish(await callModel({ text: 'x', usage: null }))
    expect(finish?.usage.inputTokens.total).toBeUndefined()
    expect(finish?.providerMetadata).toBeUndefined()
  })
})

describe('tool calls', () => {
  const twoCalls = [
    { id: 'a', name: 'bash', arguments: { command: 'ls -la' } },
    { id: 'b', name: 'read', arguments: { filePath: 'x.txt' } },
  ]
  const expected = [
    { toolName: 'bash', input: '{"command":"ls -la"}' },
    { toolName: 'read', input: '{"filePath":"x.txt"}' },
  ]

  it.each<[string, FakeResponse]>([
    ['in fragments', { calls: twoCalls }],
    ['each in one piece', { calls: twoCalls, wholeCalls: true }],
    ['without ids', { calls: twoCalls.map(({ name, arguments: settings }) => ({ name, arguments: settings })) }],
    ['all under one index', { calls: twoCalls.map((one) => ({ ...one, index: 0 })), wholeCalls: true }],
    ['after text', { text: 'I look.', calls: twoCalls }],
    ['with the finish reason stop', { calls: twoCalls, finish: 'stop' }],
  ])('are assembled when they arrive %s', async (_, fakeResponse) => {
    const parts = await callModel(fakeResponse)
    expect(listCalls(parts)).toEqual(expected)
    const ids = parts.filter((part) => part.type === 'tool-call').map((part) => part.toolCallId)
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) {
      const deltas = parts.filter((part) => part.type === 'tool-input-delta' && part.id === id)
      const input = deltas.map((part) => (part.type === 'tool-input-delta' ? part.delta : '')).join('')
      expect(expected.map((call) => call.input)).toContain(input)
    }
  })

  it('without arguments have an empty object as input', async () => {
    expect(listCalls(await callModel({ calls: [{ id: 'a', name: 'todo', arguments: '' }] }))).toEqual([
      { toolName: 'todo', input: '{}' },
    ])
  })

  it('keep invalid arguments unchanged', async () => {
    expect(listCalls(await callModel({ calls: [{ id: 'a', name: 'bash', arguments: '{"command": "ec' }] }))).toEqual([
      { toolName: 'bash', input: '{"command": "ec' },
    ])
  })
})

describe('a faulty server', () => {
  it.each([
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [422, false],
    [408, true],
    [409, true],
    [429, true],
    [500, true],
    [503, true],
  ])('that returns %i may be retried: %s', async (status, retryable) => {
    const error = await readError(
      callModel({ status, body: JSON.stringify({ error: { message: `bad key ${secret}` } }) }),
    )
    expect(error.retryable).toBe(retryable)
    expect(error.message).toContain(String(status))
    expect(error.message).not.toContain(secret)
  })

  it('states when to retry, in seconds or as a date', async () => {
    expect((await readError(callModel({ status: 429, headers: { 'retry-after': '7' } }))).retryAfterMs).toBe(7000)
    const date = new Date(Date.now() + 30_000).toUTCString()
    const wait = (await readError(callModel({ status: 503, headers: { 'retry-after': date } }))).retryAfterMs
    expect(wait).toBeGreaterThan(20_000)
    expect(wait).toBeLessThanOrEqual(30_000)
    expect(
      (await readError(callModel({ status: 429, headers: { 'retry-after': 'soon' } }))).retryAfterMs,
    ).toBeUndefined()
  })

  it('has its error text truncated in the error', async () => {
    const error = await readError(callModel({ status: 500, body: 'x'.repeat(300_000) }))
    expect(error.message.length).toBeLessThan(600)
  })

  it.each<[string, FakeResponse]>([
    ['cuts the connection', { text: 'one two three', breakAfter: 3, breakWith: 'cut' }],
    ['ends without finishing', { text: 'one two three', breakAfter: 3, breakWith: 'end' }],
    ['sends invalid data', { text: 'one two three', breakAfter: 2, breakWith: 'garbage' }],
    ['sends nothing at all', { breakAfter: 0, breakWith: 'end' }],
    ['sends only the end marker', { finish: null, usage: null }],
    ['reports an overload in the stream', { text: 'one', breakAfter: 1, breakWith: 'error' }],
    ['responds with an HTML page', { body: '<html>', headers: { 'content-type': 'text/html' } }],
  ])('that %s may be called again', async (_, fakeResponse) => {
    expect((await readError(callModel(fakeResponse))).retryable).toBe(true)
  })

  it('that reports a bad request in the stream is not called again', async () => {
    const error = { message: 'context too long', code: 400 }
    expect((await readError(callModel({ breakAfter: 1, breakWith: 'error', error }))).retryable).toBe(false)
  })

  it('that cannot be reached may be called again', async () => {
    const closedServer = await createFakeModel()
    await closedServer.close()
    const port = createOpenAiModel({
      name: 'test',
      baseUrl: closedServer.url,
      contextWindow: 1000,
      modelName: (id) => id,
    })
    expect((await readError(collect(port))).retryable).toBe(true)
    await port.close()
  })

  it('that sends two finish reasons has finished with the first', async () => {
    expect(findFinish(await callModel({ text: 'x', finish: ['length', 'stop'] }))?.finishReason).toEqual({
      unified: 'length',
      raw: 'length',
    })
  })

  it('that sends the end marker without a finish reason has completed its response', async () => {
    const parts = await callModel({ text: 'whole', finish: null })
    expect(joinText(parts)).toBe('whole')
    expect(findFinish(parts)?.finishReason).toEqual({ unified: 'other', raw: undefined })
  })

  it('that sends a finish reason without the end marker has completed its response', async () => {
    expect(findFinish(await callModel({ text: 'whole', marker: false }))?.usage.outputTokens.total).toBe(5)
  })

  it('that cuts the stream, hangs or continues after the finish reason has completed its response', async () => {
    // The events contain the role, one word and the finish reason. The usage is missing.
    const impatient = createTestModel({ silenceTimeoutMs: 100 })
    for (const breakWith of ['cut', 'hang', 'endless'] as const) {
      server.next({ text: 'whole', breakAfter: 3, breakWith })
      const parts = await collect(impatient)
      expect(joinText(parts)).toBe('whole')
      expect(findFinish(parts)?.finishReason.unified).toBe('stop')
    }
    await impatient.close()
  })

  it.each<[string, FakeResponse]>([
    ['before its headers', { delayMs: Infinity }],
    ['in the middle of its stream', { text: 'one two three', breakAfter: 3, breakWith: 'hang' }],
  ])('that falls silent %s is abandoned', async (_, fakeResponse) => {
    const impatient = createTestModel({ silenceTimeoutMs: 60 })
    server.next(fakeResponse)
    const error = await readError(collect(impatient))
    expect(error.retryable).toBe(true)
    expect(error.message).toContain('sent no data')
    await impatient.close()
  })

  it('that sends slowly but steadily does not time out', async () => {
    const impatient = createTestModel({ silenceTimeoutMs: 200 })
    server.next({ text: 'one two three four five six', wordsPerSecond: 20 })
    expect(joinText(await collect(impatient))).toBe('one two three four five six')
    await impatient.close()
  })
})

it('more than a thousand calls receive their tokens at the same time', async () => {
  const count = 1100
  server.next(...Array.from({ length: count }, (): FakeResponse => ({ text: 'one', breakAfter: 2, breakWith: 'hang' })))
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  const calls: Promise<void>[] = []
  const firstTokens = Array.from(
    { length: count },
    () =>
      new Promise<void>((resolve) => {
        const onPart = ({ type }: ModelPart): undefined => {
          if (type === 'text-delta') resolve()
        }
        calls.push(model.stream(createCall(), controller.signal, onPart))
      }),
  )
  await Promise.all(firstTokens)
  controller.abort(new Error('stopped'))
  const results = await Promise.allSettled(calls)
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
})

describe('aborting', () => {
  it.each<[string, FakeResponse]>([
    ['an endless stream', { breakAfter: 1, breakWith: 'endless' }],
    ['a stream that stalls', { text: 'one', breakAfter: 1, breakWith: 'hang' }],
    ['a request without a response', { delayMs: Infinity }],
  ])('ends %s with the abort reason and closes the connection', async (_, fakeResponse) => {
    const controller = new AbortController()
    const reason = new Error('stopped by the user')
    server.next(fakeResponse)
    const before = server.requests.length
    const work = collect(model, createCall(), controller.signal)
    await expect.poll(() => server.requests.length).toBe(before + 1)
    controller.abort(reason)
    await expect(work).rejects.toBe(reason)
    await server.requests.at(-1)?.closed
  })

  it('before the call makes no request', async () => {
    const before = server.requests.length
    await expect(collect(model, createCall(), AbortSignal.abort(new Error('no')))).rejects.toThrow('no')
    expect(server.requests.length).toBe(before)
  })

  it.each([
    ['throws', () => raise(new Error('enough'))],
    ['rejects', () => Promise.reject(new Error('enough'))],
  ])('also happens when the part handler %s', async (_, handle) => {
    server.next({ breakAfter: 1, breakWith: 'endless' })
    const { signal } = new AbortController()
    const work = model.stream(createCall(), signal, (part) => (part.type === 'text-delta' ? handle() : undefined))
    await expect(work).rejects.toThrow('enough')
    await server.requests.at(-1)?.closed
  })

  it('waits for the promise of a part handler before the next part', async () => {
    server.next({ text: 'one two three' })
    const order: string[] = []
    await model.stream(createCall(), new AbortController().signal, async ({ type }) => {
      order.push(`${type} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`${type} ends`)
    })
    expect(order.length).toBeGreaterThan(6)
    for (const [index, line] of order.entries()) expect(line.endsWith(index % 2 === 0 ? 'begins' : 'ends')).toBe(true)
    expect(order.at(-1)).toBe('finish ends')
  })
})

const sendAndRead = async (prompt: ModelCall['prompt'], port: ModelPort = model): Promise<unknown> => {
  server.next({ text: 'ok' })
  await collect(port, createCall('', { prompt, tools: [bash] }))
  return server.requests.at(-1)?.body.messages
}

describe('a conversation sent to a vendor', () => {
  it('contains the system prompt, files, tool calls, results and errors', async () => {
    expect(
      await sendAndRead([
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'file', mediaType: 'image/png', data: 'aGk=' },
            { type: 'file', mediaType: 'image/png', data: new URL('https://example.com/a.png') },
            { type: 'file', mediaType: 'application/pdf', data: 'aGk=', filename: 'a.pdf' },
            { type: 'file', mediaType: 'text/plain', data: 'aGk=', filename: 'a.txt' },
            { type: 'file', mediaType: 'audio/wav', data: new Uint8Array([104, 105]) },
            { type: 'file', mediaType: 'application/zip', data: new URL('https://example.com/a.zip') },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'bash', input: { command: 'ls' } },
            { type: 'tool-call', toolCallId: 'call_2', toolName: 'read', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'call_1',
              toolName: 'bash',
              output: { type: 'json', value: { ok: true } },
            },
            {
              type: 'tool-result',
              toolCallId: 'call_2',
              toolName: 'read',
              output: { type: 'error-text', value: 'gone' },
            },
          ],
        },
      ]),
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' } },
          { type: 'text', text: 'a.txt:\nhi' },
          { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
          { type: 'text', text: '[file](https://example.com/a.zip)' },
        ],
      },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } },
          { id: 'call_2', type: 'function', function: { name: 'read', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"ok":true}' },
      { role: 'tool', tool_call_id: 'call_2', content: 'gone' },
    ])
  })

  it('returns reasoning without tool calls in its original field during the turn, but not in later turns', async () => {
    const reasoning = {
      role: 'assistant' as const,
      content: [
        { type: 'reasoning' as const, text: 'Hm', providerOptions: { test: { reasoningField: 'reasoning' } } },
        { type: 'text' as const, text: 'Yes' },
      ],
    }
    const user = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Go' }] }
    expect(await sendAndRead([user, reasoning, user, reasoning])).toEqual([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: 'Yes' },
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: 'Yes', reasoning: 'Hm' },
    ])
  })

  it('returns reasoning of earlier turns only to its own vendor, and only with its tool calls or a signature', async () => {
    const stored = { vendor: 'maker', reasoningField: 'reasoning_content' }
    const turn = (
      own: SharedV3ProviderOptions[string],
      extra: Partial<LanguageModelV3ToolCallPart> = {},
    ): LanguageModelV3Prompt => [
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'Go' }] },
      {
        role: 'assistant' as const,
        content: [
          { type: 'reasoning' as const, text: 'Hm', providerOptions: { test: own } },
          { type: 'text' as const, text: 'Yes' },
          ...('toolCallId' in extra ? [{ ...call, ...extra }] : []),
        ],
      },
    ]
    const call = { type: 'tool-call' as const, toolCallId: 'c', toolName: 'bash', input: {} }
    const signed = { detailsField: 'reasoning_details', details: [{ type: 'reasoning.text', signature: 'sig' }] }
    const extra = { google: { thought_signature: 'sig' } }
    const callOptions = { toolCallId: 'c', providerOptions: { test: { vendor: 'maker', extra } } }
    const prompt = [
      ...turn(stored),
      ...turn(stored, callOptions),
      ...turn({ ...stored, ...signed }),
      ...turn({ ...stored, ...signed, vendor: 'another' }, { ...callOptions, providerOptions: { other: { extra } } }),
      ...turn({ ...stored, reasoningField: 'content' }, { toolCallId: 'c' }),
    ]
    const messages = await sendAndRead([...prompt, ...turn(stored).slice(0, 1)], createTestModel({ vendor: 'maker' }))
    const wireCall = { id: 'c', type: 'function', function: { name: 'bash', arguments: '{}' } }
    const yes = { role: 'assistant', content: 'Yes' }
    expect((messages as { role: string }[]).filter(({ role }) => role === 'assistant')).toEqual([
      yes,
      { ...yes, reasoning_content: 'Hm', tool_calls: [{ ...wireCall, extra_content: extra }] },
      { ...yes, reasoning_details: signed.details },
      { ...yes, tool_calls: [wireCall] },
      {
        ...yes,
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
          { type: 'text', text: 'Yes' },
        ],
        tool_calls: [wireCall],
      },
    ])
  })

  it('marks the last tool and the last message for prompt caches that require it', async () => {
    const cachingModel = createTestModel({ cacheMarks: true })
    const messages = await sendAndRead([{ role: 'user', content: [{ type: 'text', text: 'Go' }] }], cachingModel)
    const mark = { cache_control: { type: 'ephemeral' } }
    expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Go', ...mark }] }])
    expect(server.requests.at(-1)?.body.tools).toEqual([expect.objectContaining(mark)])
    await cachingModel.close()
  })
})

const createTestModels = (settings: { custom?: string; gateway?: string; key?: string }) =>
  createModels({
    localWordsPerSecond: 0,
    contextWindow: 20_000,
    custom: { baseUrl: settings.custom, apiKey: undefined },
    gateway: { baseUrl: settings.gateway, apiKey: settings.key },
  })

describe('routing by model id', () => {
  it('sends ids of custom models without their prefix and ids of gateway models unchanged', async () => {
    const port = createTestModels({ custom: server.url, gateway: server.url, key: 'gw' })
    server.next({ text: 'a' }, { text: 'b' })
    await collect(port, createCall('Hi', { modelId: 'custom/org/llama' }))
    expect(server.requests.at(-1)?.body.model).toBe('org/llama')
    expect(server.requests.at(-1)?.headers.authorization).toBeUndefined()
    await collect(port, createCall('Hi', { modelId: 'openai/gpt-5' }))
    expect(server.requests.at(-1)?.body.model).toBe('openai/gpt-5')
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer gw')
    expect(joinText(await collect(port, createCall('Hi', { modelId: 'local/assistant' })))).toContain('"Hi"')
    await port.close()
  })

  it('names a missing setting in the error, which is not retryable', async () => {
    const port = createTestModels({ gateway: server.url })
    const custom = await readError(collect(port, createCall('Hi', { modelId: 'custom/x' })))
    expect([custom.retryable, custom.message]).toEqual([false, expect.stringContaining('MODEL_BASE_URL')])
    const gateway = await readError(collect(port, createCall('Hi', { modelId: 'openai/gpt-5' })))
    expect([gateway.retryable, gateway.message]).toEqual([false, expect.stringContaining('GATEWAY_API_KEY')])
  })

  it('describes a model with the configured context window', async () => {
    const unset = { contextWindow: 20_000, outputReserve: 5000, unset: true }
    expect(await createTestModels({}).describe('openai/gpt-5')).toEqual(unset)
    const wide = { baseUrl: undefined, apiKey: undefined, contextWindow: 128_000 }
    expect((await createGatewayModel(wide).describe('a/b')).outputReserve).toBe(8192)
    expect((await createCustomModel(wide).describe('a/b')).contextWindow).toBe(128_000)
  })
})

const createClient = () => new OpenAI({ baseURL: server.url, apiKey: 'x', maxRetries: 0 })

describe("the fake server is compatible with the vendor's own client", () => {
  const request = {
    model: 'fake-1',
    messages: [{ role: 'user' as const, content: 'Hi' }],
    stream: true as const,
    stream_options: { include_usage: true },
  }

  it('for text, tool calls and usage', async () => {
    server.next({ text: 'The answer', calls: [{ id: 'a', name: 'bash', arguments: { command: 'ls' } }] })
    const final = await createClient().chat.completions.stream(request).finalChatCompletion()
    expect(final.choices[0]?.message.content).toBe('The answer')
    expect(final.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      id: 'a',
      function: { name: 'bash', arguments: '{"command":"ls"}' },
    })
    expect(final.usage?.total_tokens).toBe(17)
  })

  it('for errors', async () => {
    server.next({ status: 429, body: JSON.stringify({ error: { message: 'slow down' } }) })
    await expect(createClient().chat.completions.create(request)).rejects.toBeInstanceOf(RateLimitError)
  })
})
