import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findConversationFault } from './strict-model.ts'

type FakeCall = { id?: string; index?: number; name?: string; arguments: string | object }

/** The server's response to one request. Each field replaces a part of the response of a correct server. */
export type FakeResponse = {
  /** Delay before the headers. Infinity: no response. */
  delayMs?: number
  /** Status and body of a response that is not a stream. Both are sent unchanged. */
  status?: number
  headers?: Record<string, string>
  body?: string
  /** Field of the delta in which reasoning is sent. */
  reasoningField?: 'reasoning_content' | 'reasoning'
  reasoning?: string
  text?: string
  calls?: FakeCall[]
  /** Sends each call in one piece instead of in fragments. */
  wholeCalls?: boolean
  /** One finish reason, several, or none. Default: the reason that matches the content. */
  finish?: string | string[] | null
  usage?: object | null
  /** Cost in USD. A number is sent in `usage.cost`, a string in the gateway's metadata. */
  cost?: number | string
  /** Rate of the events. Default: all immediately. */
  wordsPerSecond?: number
  /** After this many events, `breakWith` replaces the rest of the response. */
  breakAfter?: number
  breakWith?: 'cut' | 'hang' | 'garbage' | 'error' | 'end' | 'endless'
  error?: object
  /** False: no `[DONE]` at the end. */
  marker?: boolean
  /** Writes one byte at a time. */
  bytewise?: boolean
  /** Comment lines between the events. */
  comments?: boolean
}

type RecordedRequest = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: { model?: string; messages?: unknown[]; tools?: unknown[]; [key: string]: unknown }
  /** Resolves when the connection of this request closes. */
  closed: Promise<void>
}

export type FakeModel = {
  /** The model's `baseUrl`, which ends in `/v1`. */
  readonly url: string
  readonly requests: RecordedRequest[]
  /** Requests for the list of models, which `requests` does not contain. */
  readonly catalogReads: IncomingHttpHeaders[]
  /** Sets the list of models, or the status of an error in its place. */
  list(catalog: object[] | number): void
  /** Sets the responses to the next requests, in order. Later requests receive the default response. */
  next(...responses: FakeResponse[]): void
  /** Sets the default response, or a function of the request that returns it. */
  always(response: FakeResponse | ((request: RecordedRequest) => FakeResponse)): void
  close(): Promise<void>
}

/** Called before each event. The response pauses while the returned promise is pending. */
type Hold = () => Promise<void> | undefined

const defaultUsage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 }

const splitWords = (text: string): string[] => text.match(/\s*\S+(?:\s+$)?/g) ?? []

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const formatChunk = (model: string, choice: object | undefined, fields: object = {}): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model,
    choices: choice === undefined ? [] : [{ index: 0, finish_reason: null, delta: {}, ...choice }],
    ...fields,
  })

const buildCallDeltas = (fakeResponse: FakeResponse): object[] =>
  (fakeResponse.calls ?? []).flatMap((call, position) => {
    const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
    const head = { ...(call.id !== undefined && { id: call.id }), type: 'function' }
    const index = call.index ?? position
    if (fakeResponse.wholeCalls === true)
      return [{ tool_calls: [{ index, ...head, function: { name: call.name, arguments: text } }] }]
    const half = Math.ceil(text.length / 2)
    return [
      { tool_calls: [{ index, ...head, function: { name: call.name, arguments: '' } }] },
      { tool_calls: [{ index, function: { arguments: text.slice(0, half) } }] },
      { tool_calls: [{ index, function: { arguments: text.slice(half) } }] },
    ]
  })

const formatEvents = (fakeResponse: FakeResponse, model: string): string[] => {
  const { reasoningField = 'reasoning_content', usage = defaultUsage, cost } = fakeResponse
  const defaultReason = (fakeResponse.calls ?? []).length > 0 ? 'tool_calls' : 'stop'
  const finishes = fakeResponse.finish === null ? [] : [fakeResponse.finish ?? defaultReason].flat()
  const costFields = typeof cost === 'string' ? { provider_metadata: { gateway: { cost } } } : {}
  return [
    formatChunk(model, { delta: { role: 'assistant', content: '' } }),
    ...splitWords(fakeResponse.reasoning ?? '').map((text) =>
      formatChunk(model, { delta: { [reasoningField]: text } }),
    ),
    ...splitWords(fakeResponse.text ?? '').map((content) => formatChunk(model, { delta: { content } })),
    ...buildCallDeltas(fakeResponse).map((delta) => formatChunk(model, { delta })),
    ...finishes.map((finish_reason) => formatChunk(model, { delta: costFields, finish_reason })),
    ...(usage === null
      ? []
      : [formatChunk(model, undefined, { usage: { ...usage, ...(typeof cost === 'number' && { cost }) } })]),
  ]
}

const write = async (response: ServerResponse, text: string, bytewise: boolean): Promise<void> => {
  if (!bytewise) {
    response.write(text)
    return
  }
  for (const byte of Buffer.from(text)) {
    response.write(Buffer.from([byte]))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const breakResponse = async (fakeResponse: FakeResponse, response: ServerResponse, model: string): Promise<void> => {
  switch (fakeResponse.breakWith ?? 'cut') {
    case 'cut':
      await sleep(5)
      response.destroy()
      return
    case 'garbage':
      response.end('data: {"choices": [{"delta":\n\ndata: <html>\n\n')
      return
    case 'error':
      response.end(`data: ${JSON.stringify({ error: fakeResponse.error ?? { message: 'overloaded', code: 503 } })}\n\n`)
      return
    case 'end':
      response.end()
      return
    case 'endless':
      while (!response.destroyed && !response.writableEnded) {
        await write(response, `data: ${formatChunk(model, { delta: { content: 'again ' } })}\n\n`, false)
        await sleep(1)
      }
      return
    case 'hang':
  }
}

const stream = async (
  fakeResponse: FakeResponse,
  response: ServerResponse,
  model: string,
  hold?: Hold,
): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...fakeResponse.headers })
  response.flushHeaders()
  const events = formatEvents(fakeResponse, model)
  const start = performance.now()
  for (const [index, event] of events.entries()) {
    await hold?.()
    if (response.destroyed || response.writableEnded) return
    if (index === fakeResponse.breakAfter) return breakResponse(fakeResponse, response, model)
    if (fakeResponse.comments === true) await write(response, ': still here\n\n', false)
    await write(response, `data: ${event}\n\n`, fakeResponse.bytewise === true)
    if (fakeResponse.wordsPerSecond === undefined) continue
    // Each event has a time relative to the start, so that a late timer does not delay later events.
    const remainingMs = start + ((index + 1) * 1000) / fakeResponse.wordsPerSecond - performance.now()
    if (remainingMs >= 1) await sleep(remainingMs)
  }
  await hold?.()
  if (response.destroyed || response.writableEnded) return
  if (fakeResponse.breakAfter !== undefined && fakeResponse.breakAfter >= events.length)
    return breakResponse(fakeResponse, response, model)
  response.end(fakeResponse.marker === false ? '' : 'data: [DONE]\n\n')
}

/** Sends one response to its end. */
export const playResponse = async (
  fakeResponse: FakeResponse,
  response: ServerResponse,
  model: string,
  hold?: Hold,
): Promise<void> => {
  if (fakeResponse.delayMs === Infinity) return
  if (fakeResponse.delayMs !== undefined) await sleep(fakeResponse.delayMs)
  if (fakeResponse.status !== undefined || fakeResponse.body !== undefined)
    response
      .writeHead(fakeResponse.status ?? 200, { 'content-type': 'application/json', ...fakeResponse.headers })
      .end(fakeResponse.body)
  else await stream(fakeResponse, response, model, hold)
}

export const readModelRequest = async (request: IncomingMessage): Promise<RecordedRequest['body']> => {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as RecordedRequest['body']
  } catch {
    return {}
  }
}

const createRejection = (message: string): FakeResponse => ({
  status: 400,
  body: JSON.stringify({ error: { message, type: 'invalid_request_error' } }),
})

/**
 * Starts a server that implements the OpenAI chat-completions protocol and returns configured faults. It rejects
 * conversations that some vendor would reject, unless `strict` is false.
 */
export const createFakeModel = async (port = 0, { strict = true } = {}): Promise<FakeModel> => {
  const queue: FakeResponse[] = []
  const requests: RecordedRequest[] = []
  const catalogReads: IncomingHttpHeaders[] = []
  let catalog: object[] | number = []
  let defaultResponse: FakeResponse | ((request: RecordedRequest) => FakeResponse) = {
    text: 'Hello from the fake model.',
  }

  const sendCatalog = (incoming: IncomingMessage, response: ServerResponse): void => {
    catalogReads.push(incoming.headers)
    const status = typeof catalog === 'number' ? catalog : 200
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', data: catalog }))
  }

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (incoming.method === 'GET' && incoming.url === '/v1/models') return sendCatalog(incoming, response)
    const closed = once(response, 'close').then(() => undefined)
    const body = await readModelRequest(incoming)
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body,
      closed,
    }
    requests.push(request)
    const fault = strict ? findConversationFault(body.messages ?? [], body.tools) : undefined
    if (fault !== undefined) return playResponse(createRejection(fault), response, body.model ?? 'fake')
    const fakeResponse =
      queue.shift() ?? (typeof defaultResponse === 'function' ? defaultResponse(request) : defaultResponse)
    await playResponse(fakeResponse, response, body.model ?? 'fake')
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    catalogReads,
    list: (listed) => {
      catalog = listed
    },
    next: (...responses) => void queue.push(...responses),
    always: (fakeResponse) => {
      defaultResponse = fakeResponse
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close').catch(() => undefined)
    },
  }
}
