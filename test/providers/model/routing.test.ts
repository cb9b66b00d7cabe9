import { OpenAI, RateLimitError } from 'openai'
import { describe, expect, it } from 'vitest'
import { createCustomModel, createGatewayModel } from '../../../providers/model/gateway.ts'
import { createModels } from '../../../providers/model/router.ts'
import { server, createCall, collect, readError, joinText, serveFakeModel } from './openai-server.ts'

serveFakeModel()

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
