import { describe, expect, it } from 'vitest'
import { createOpenAiModel } from '../../../providers/model/openai/openai.ts'
import { createFakeModel, type FakeResponse } from '../../world/models/fake-model.ts'
import {
  secret,
  server,
  model,
  createTestModel,
  createCall,
  collect,
  callModel,
  readError,
  joinText,
  findFinish,
  serveFakeModel,
} from './openai-server.ts'

serveFakeModel()

const raise = (error: Error): never => {
  throw error
}

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
