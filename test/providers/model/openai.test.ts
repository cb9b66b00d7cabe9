import { setMaxListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { ModelPart } from '../../../providers/model/index.ts'
import { createCustomModel } from '../../../providers/model/gateway.ts'
import type { FakeResponse } from '../../world/models/fake-model.ts'
import {
  secret,
  server,
  model,
  bash,
  createCall,
  createTestModel,
  collect,
  callModel,
  joinText,
  findFinish,
  listCalls,
  serveFakeModel,
} from './openai-server.ts'

serveFakeModel()

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

it('a thousand calls receive their tokens at the same time', async () => {
  const count = 1000
  // The first call has no data until the last one has opened its connection.
  const patient = createTestModel({ silenceTimeoutMs: 300_000 })
  server.next(...Array.from({ length: count }, (): FakeResponse => ({ text: 'one', breakAfter: 2, breakWith: 'hang' })))
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  const stopped = new Error('stopped')
  let received = 0
  const onPart = ({ type }: ModelPart): undefined => {
    if (type === 'text-delta' && ++received === count) controller.abort(stopped)
  }
  const calls = Array.from({ length: count }, () => patient.stream(createCall(), controller.signal, onPart))
  const results = await Promise.allSettled(calls)
  expect(results.filter((result) => result.status === 'fulfilled' || result.reason !== stopped)).toEqual([])
  await patient.close()
})
