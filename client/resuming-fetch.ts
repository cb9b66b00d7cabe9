/** Pauses before the attempts to reconnect. A connection that delivers events resets them. */
const pausesMs = [0, 500, 1000, 2000, 4000, 8000, 8000, 8000]

/** Thrown when the rest of a stream is not available. Load the chat instead. */
export class StreamLostError extends Error {
  override readonly name = 'StreamLostError'
}

export type ResumingFetchOptions = {
  fetch?: typeof fetch
  /** Time without data after which a connection is replaced. The API sends a comment every 10 seconds. Default: 30,000. */
  silenceTimeoutMs?: number
}

/** State of one stream across its connections. */
type StreamState = {
  streamUrl: string
  send: typeof fetch
  silenceTimeoutMs: number
  input: Parameters<typeof fetch>[0]
  init: RequestInit & { headers: Headers; signal: AbortSignal }
  runId: string | null
  /** Index of the last complete frame; -1 before the first frame. */
  lastIndex: number
  isComplete: boolean
}

const isStream = (response: Response): boolean =>
  response.ok && response.headers.get('content-type')?.startsWith('text/event-stream') === true

const readRunId = (response: Response): string | null => response.headers.get('x-workflow-run-id')

/** Resolves after `ms` or when the signal is aborted. */
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

/** Result of a read from a connection that has ended, failed or timed out. */
const connectionEnd = { done: true, value: undefined } as const

const readChunk = async (reader: ReadableStreamDefaultReader<Uint8Array>, silenceTimeoutMs: number) => {
  const received = new AbortController()
  const silence = pause(silenceTimeoutMs, received.signal).then(() => connectionEnd)
  try {
    return await Promise.race([reader.read().catch(() => connectionEnd), silence])
  } finally {
    received.abort()
  }
}

/** Yields the complete, new events of one connection until the connection ends, fails or times out. */
const readEvents = async function* (stream: StreamState, { body }: Response): AsyncGenerator<string, void> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await readChunk(reader, stream.silenceTimeoutMs)
      if (done) return
      text += decoder.decode(value, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const id = /^id: (\d+)$/m.exec(event)?.[1]
        if (id !== undefined && Number(id) <= stream.lastIndex) continue
        if (id !== undefined) stream.lastIndex = Number(id)
        stream.isComplete ||= event === 'data: [DONE]'
        yield `${event}\n\n`
      }
    }
  } finally {
    // Not awaited, because it may never settle for a connection that hangs.
    void reader.cancel().catch(() => undefined)
  }
}

/** Opens a new connection to the same run. Returns undefined after a failure that may be temporary. */
const reconnect = async (stream: StreamState): Promise<Response | undefined> => {
  const { streamUrl, send, input, init, runId, lastIndex } = stream
  const headers = new Headers(init.headers)
  headers.delete('content-type')
  headers.delete('idempotency-key')
  if (lastIndex >= 0) headers.set('last-event-id', String(lastIndex))
  let response = await send(streamUrl, { ...init, method: 'GET', body: null, headers })
  // The turn has ended. Its original request, repeated with the same Idempotency-Key, returns its log.
  if (init.method === 'POST' && response.ok && readRunId(response) !== runId) {
    await response.body?.cancel()
    response = await send(input, init)
  }
  if (isStream(response) && readRunId(response) === runId) return response
  await response.body?.cancel()
  if (response.status === 429 || response.status >= 500) return undefined
  throw new StreamLostError('The turn has ended: load the chat')
}

const readToEnd = async function* (stream: StreamState, firstResponse: Response): AsyncGenerator<string, void> {
  const { signal } = stream.init
  yield* readEvents(stream, firstResponse)
  for (let attempt = 0; !stream.isComplete && !signal.aborted; attempt++) {
    if (attempt === pausesMs.length) throw new StreamLostError('The connection could not be restored')
    await pause(pausesMs[attempt] ?? 0, signal)
    const previousIndex = stream.lastIndex
    const response = await reconnect(stream).catch((error: unknown) => {
      if (error instanceof StreamLostError) throw error
      return undefined
    })
    if (response !== undefined) yield* readEvents(stream, response)
    if (stream.lastIndex > previousIndex) attempt = -1
  }
  signal.throwIfAborted()
}

/**
 * Creates a `fetch` that resumes interrupted event streams. If a stream ends without `[DONE]`, it continues from `streamUrl`
 * after the last complete event. Each POST gets an Idempotency-Key, so that a turn that ended during the interruption can
 * also be read to its end.
 */
export const createResumingFetch = (streamUrl: string, options: ResumingFetchOptions = {}): typeof fetch => {
  const { fetch: send = fetch, silenceTimeoutMs = 30_000 } = options
  return async (input, requestInit = {}) => {
    const cancellation = new AbortController()
    const signal = requestInit.signal ? AbortSignal.any([requestInit.signal, cancellation.signal]) : cancellation.signal
    const init = { ...requestInit, headers: new Headers(requestInit.headers), signal }
    if (init.method === 'POST' && !init.headers.has('idempotency-key'))
      init.headers.set('idempotency-key', crypto.randomUUID())
    const response = await send(input, init)
    if (!isStream(response)) return response
    const runId = readRunId(response)
    const stream = { streamUrl, send, silenceTimeoutMs, input, init, runId, lastIndex: -1, isComplete: false }
    const events = readToEnd(stream, response)
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await events.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      cancel: (reason) => cancellation.abort(reason),
    })
    const { status, statusText, headers } = response
    return new Response(body, { status, statusText, headers })
  }
}
