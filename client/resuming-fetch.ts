const pausesMs = [0, 500, 1000, 2000, 4000, 8000, 8000, 8000]

/** The rest of a stream cannot be had any more: the chat has to be loaded. */
export class StreamLostError extends Error {
  override readonly name = 'StreamLostError'
}

export type ResumingFetchOptions = {
  fetch?: typeof fetch
  /** A connection that is silent for this long is given up. The API sends a comment every 10 seconds. */
  silenceTimeoutMs?: number
}

/** One stream over all the connections that it takes. */
type Reading = {
  streamUrl: string
  send: typeof fetch
  silenceTimeoutMs: number
  input: Parameters<typeof fetch>[0]
  init: RequestInit & { headers: Headers; signal: AbortSignal }
  runId: string | null
  /** Index of the last frame that came whole. */
  last: number
  done: boolean
}

const isStream = (response: Response): boolean =>
  response.ok && response.headers.get('content-type')?.startsWith('text/event-stream') === true

const readRunId = (response: Response): string | null => response.headers.get('x-workflow-run-id')

/** Resolves after `ms`, or as soon as the signal is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    const stop = (): void => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })

/** Outcome of a connection that broke, timed out or ended. */
const nothing = { done: true, value: undefined } as const

const readOn = async (reader: ReadableStreamDefaultReader<Uint8Array>, silenceTimeoutMs: number) => {
  const received = new AbortController()
  const silence = pause(silenceTimeoutMs, received.signal).then(() => nothing)
  try {
    return await Promise.race([reader.read().catch(() => nothing), silence])
  } finally {
    received.abort()
  }
}

/** The whole events of one connection that are new; ends where the connection ends, breaks or falls silent. */
const readEvents = async function* (reading: Reading, { body }: Response): AsyncGenerator<string, void> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await readOn(reader, reading.silenceTimeoutMs)
      if (done) return
      text += decoder.decode(value, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const id = /^id: (\d+)$/m.exec(event)?.[1]
        if (id !== undefined && Number(id) <= reading.last) continue
        if (id !== undefined) reading.last = Number(id)
        reading.done ||= event === 'data: [DONE]'
        yield `${event}\n\n`
      }
    }
  } finally {
    // Not awaited: a connection that hangs may never answer.
    void reader.cancel().catch(() => undefined)
  }
}

/** A new connection to the same run; undefined when there may be one later. */
const reconnect = async (reading: Reading): Promise<Response | undefined> => {
  const { streamUrl, send, input, init, runId, last } = reading
  const headers = new Headers(init.headers)
  headers.delete('content-type')
  headers.delete('idempotency-key')
  if (last >= 0) headers.set('last-event-id', String(last))
  let response = await send(streamUrl, { ...init, method: 'GET', body: null, headers })
  // The turn is over: the request that began it returns its log again, by its Idempotency-Key.
  if (init.method === 'POST' && response.ok && readRunId(response) !== runId) {
    await response.body?.cancel()
    response = await send(input, init)
  }
  if (isStream(response) && readRunId(response) === runId) return response
  await response.body?.cancel()
  if (response.status === 429 || response.status >= 500) return undefined
  throw new StreamLostError('The turn is over: load the chat')
}

const readToEnd = async function* (reading: Reading, first: Response): AsyncGenerator<string, void> {
  const { signal } = reading.init
  yield* readEvents(reading, first)
  for (let tries = 0; !reading.done && !signal.aborted; tries++) {
    if (tries === pausesMs.length) throw new StreamLostError('The connection is lost')
    await pause(pausesMs[tries] ?? 0, signal)
    const before = reading.last
    const response = await reconnect(reading).catch((error: unknown) => {
      if (error instanceof StreamLostError) throw error
      return undefined
    })
    if (response !== undefined) yield* readEvents(reading, response)
    if (reading.last > before) tries = -1
  }
  signal.throwIfAborted()
}

/**
 * A `fetch` whose event streams do not break: a stream that ends without `[DONE]` continues from `streamUrl` behind the
 * last whole event, until it is complete. What is sent gets an Idempotency-Key, so that a turn that ended meanwhile can
 * be read to its end too.
 */
export const createResumingFetch = (streamUrl: string, options: ResumingFetchOptions = {}): typeof fetch => {
  const { fetch: send = fetch, silenceTimeoutMs = 30_000 } = options
  return async (input, given = {}) => {
    const left = new AbortController()
    const signal = given.signal ? AbortSignal.any([given.signal, left.signal]) : left.signal
    const init = { ...given, headers: new Headers(given.headers), signal }
    if (init.method === 'POST' && !init.headers.has('idempotency-key'))
      init.headers.set('idempotency-key', crypto.randomUUID())
    const first = await send(input, init)
    if (!isStream(first)) return first
    const reading = { streamUrl, send, silenceTimeoutMs, input, init, runId: readRunId(first), last: -1, done: false }
    const events = readToEnd(reading, first)
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await events.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      cancel: (reason) => left.abort(reason),
    })
    return new Response(body, { status: first.status, statusText: first.statusText, headers: first.headers })
  }
}
