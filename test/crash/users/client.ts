import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Random } from '../../world/random.ts'
import type { LoadedChat, Operation, Reading } from '../records/records.ts'

/** State that all clients of a workload share. */
export type ClientContext = {
  agent: Dispatcher
  apiUrls(): string[]
  operations: Operation[]
  readings: Reading[]
  /** Records a response that no fault explains. */
  reportUnexpected(text: string): void
  /** Aborts at the deadline of the workload. */
  deadline: AbortSignal
  accepted(runId: string): void
  ended(runId: string): void
}

/** Thrown when the workload has passed its deadline. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/** Thrown for a response that no fault explains. */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse'
}

export type Body = Dispatcher.ResponseData['body']
type ClientResponse = { status: number; headers: Record<string, string | string[] | undefined>; body: Body }
type JsonResponse = { status: number; headers: ClientResponse['headers']; json: Record<string, unknown> }
type NewOperation = Omit<Operation, 'id' | 'requestedAt'>
type Sending = {
  headers?: Record<string, string> | undefined
  body?: object | undefined
  waitMs?: number
}

/** Duration of silence after which a client closes a connection. Streams have a heartbeat. */
const silenceTimeoutMs = 25_000
const defaultWaitMs = 20_000
const minPauseMs = 100
const maxPauseMs = 2000

const retryableStatuses = new Set([429, 500, 502, 503, 504])

export const readHeader = (response: { headers: ClientResponse['headers'] }, name: string): string | undefined =>
  [response.headers[name]].flat()[0]

const readErrorText = ({ json: { error } }: JsonResponse): string => (typeof error === 'string' ? error : '')
const isInProgress = (response: JsonResponse): boolean =>
  response.status === 409 && readErrorText(response).includes('in progress')

const isStale = (text: string): boolean => /must answer an open question|of the selected branch/.test(text)

const readJson = async (response: ClientResponse | undefined): Promise<JsonResponse | undefined> => {
  if (response === undefined) return undefined
  try {
    const text = await response.body.text()
    const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    return { status: response.status, headers: response.headers, json }
  } catch {
    return undefined
  }
}

const recordResponse = (operation: Operation, response: Pick<ClientResponse, 'status' | 'headers'>): void => {
  operation.answeredAt = Date.now()
  operation.status = response.status
  const retryAfter = readHeader(response, 'retry-after')
  if (retryAfter !== undefined) operation.retryAfter = retryAfter
}

/** The result of a request that starts a run: the run and its stream, or the reason for the rejection. */
export type Started =
  | { runId: string; chatId: string; sessionId?: string | undefined; body?: Body }
  | 'busy'
  | 'no sandbox'
  | 'gone'
  /** Another client has changed the message that the request answers or regenerates. */
  | 'stale'

/** A queued message. */
export type Queued = { queueId: string; chatId: string }
/** The state of a queue entry. */
export type QueueEntry = { state: string; runId: string | null }

/** Creates the client of one device. It records requests with their responses and retries like a correct client. */
export const createClient = (
  context: ClientContext,
  { key, name, random }: { key: string; name: string; random: Random },
) => {
  const { agent, operations, deadline } = context
  let operationCount = 0

  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: deadline }).catch(() => {
      throw new DeadlinePassed('the deadline has passed')
    })

  /** Sends a request. Resolves to undefined if the connection failed, so that the outcome is unknown. */
  const open = async (
    method: Dispatcher.HttpMethod,
    path: string,
    sending: Sending = {},
  ): Promise<ClientResponse | undefined> => {
    if (deadline.aborted) throw new DeadlinePassed('the deadline has passed')
    const urls = context.apiUrls()
    if (urls.length === 0) return undefined
    const { body, waitMs = defaultWaitMs } = sending
    try {
      const response = await agent.request({
        origin: random.pick(urls),
        path,
        method,
        headers: {
          'x-api-key': key,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...sending.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headersTimeout: waitMs,
        bodyTimeout: silenceTimeoutMs,
        signal: deadline,
      })
      // An error of a body that is not read to its end is ignored.
      response.body.on('error', () => {})
      return { status: response.statusCode, headers: response.headers, body: response.body }
    } catch {
      return undefined
    }
  }

  const record = (operation: NewOperation): Operation => {
    const recorded = { id: `${name}:${operationCount++}`, requestedAt: Date.now(), ...operation }
    operations.push(recorded)
    return recorded
  }

  const pauseBefore = (attempt: number, response: JsonResponse | undefined): Promise<void> => {
    const retryAfterMs = Number(response && readHeader(response, 'retry-after')) * 1000 || 0
    return pause(Math.max(retryAfterMs, Math.min(minPauseMs * 2 ** attempt, maxPauseMs)))
  }

  const createUnexpected = (description: string, response: JsonResponse): UnexpectedResponse => {
    const text = `${name}: ${description} responded ${response.status} ${JSON.stringify(response.json).slice(0, 300)}`
    context.reportUnexpected(text)
    return new UnexpectedResponse(text)
  }

  /** Repeats a request until a response with an expected status arrives. Throws for a status that cannot be retried. */
  const sendUntilExpected = async (
    description: string,
    sendOnce: (attempt: number) => Promise<JsonResponse | undefined>,
    expected: readonly number[] = [200],
  ): Promise<JsonResponse> => {
    for (let attempt = 0; ; attempt++) {
      const response = await sendOnce(attempt)
      if (response !== undefined && expected.includes(response.status)) return response
      if (response !== undefined && !retryableStatuses.has(response.status) && !isInProgress(response))
        throw createUnexpected(description, response)
      await pauseBefore(attempt, response)
    }
  }

  /** Sends a request with an idempotency key until it receives a response. Later attempts are recorded as `repeat`. */
  const submit = async (
    path: '/api/chat' | '/api/chat/runs',
    request: NewOperation & { idempotencyKey: string },
    body: object,
  ): Promise<Started | Queued> => {
    for (let attempt = 0; ; attempt++) {
      const operation = record({ ...request, kind: attempt === 0 ? request.kind : 'repeat' })
      const headers = { 'idempotency-key': request.idempotencyKey }
      const response = await open('POST', path, { body, headers })
      const runId = response && readHeader(response, 'x-workflow-run-id')
      if (response !== undefined && response.status === 200 && runId !== undefined) {
        recordResponse(operation, response)
        operation.runId = runId
        context.accepted(runId)
        return { runId, chatId: request.chatId, body: response.body }
      }
      const read = await readJson(response)
      if (read !== undefined) recordResponse(operation, read)
      const queued = read?.status === 202 ? (read.json['queued'] as { id: string } | undefined) : undefined
      if (queued !== undefined) {
        operation.queueId = queued.id
        return { queueId: queued.id, chatId: request.chatId }
      }
      if (read?.status === 202 && runId !== undefined) {
        operation.runId = runId
        operation.chatId = String(read.json['chatId'])
        context.accepted(runId)
        return { runId, chatId: operation.chatId, sessionId: String(read.json['sessionId']) }
      }
      if (read !== undefined && !retryableStatuses.has(read.status) && !isInProgress(read)) {
        if (read.status === 409) return 'busy'
        if (read.status === 404) return 'gone'
        if (read.status === 400 && readErrorText(read) === 'Sandbox not initialized') return 'no sandbox'
        if (read.status === 400 && isStale(readErrorText(read))) return 'stale'
        throw createUnexpected(`POST ${path}`, read)
      }
      await pauseBefore(attempt, read)
    }
  }

  /** Submits a request that is never queued. */
  const start = async (...sent: Parameters<typeof submit>): Promise<Started> => {
    const started = await submit(...sent)
    if (typeof started === 'object' && 'queueId' in started)
      throw new UnexpectedResponse(`${name}: a message was queued unexpectedly`)
    return started
  }

  /** Repeats a GET request. The request is not recorded as an operation. */
  const read = (path: string): Promise<JsonResponse> =>
    sendUntilExpected(`GET ${path}`, async () => readJson(await open('GET', path)))

  /** Sends an operation that is repeatable without a key, and records each attempt. */
  const sendRepeatable = (
    operation: NewOperation,
    method: Dispatcher.HttpMethod,
    path: string,
    expected: readonly number[] = [200],
  ): Promise<JsonResponse> =>
    sendUntilExpected(
      `${method} ${path}`,
      async () => {
        const recorded = record(operation)
        const response = await readJson(await open(method, path))
        if (response === undefined) return undefined
        recordResponse(recorded, response)
        // The checker validates every field of this body.
        if (operation.kind === 'load' && response.status === 200)
          recorded.loaded = response.json as unknown as LoadedChat
        return response
      },
      expected,
    )

  return {
    name,
    pause,
    open,
    start,
    submit,
    /** Creates a resource that turns require. The request is not recorded as an operation. */
    prepare: (path: string, body: object, options: { key?: string; waitMs?: number } = {}): Promise<JsonResponse> =>
      sendUntilExpected(
        `POST ${path}`,
        async () => {
          const headers = options.key === undefined ? undefined : { 'idempotency-key': options.key }
          const { waitMs = defaultWaitMs } = options
          return readJson(await open('POST', path, { body, headers, waitMs }))
        },
        [200, 201],
      ),
    /** Sends a repeatable PATCH request. The request is not recorded as an operation. */
    change: (path: string, body: object): Promise<JsonResponse> =>
      sendUntilExpected(`PATCH ${path}`, async () => readJson(await open('PATCH', path, { body }))),
    read,
    stop: (chatId: string, runId: string): Promise<JsonResponse> =>
      sendRepeatable({ kind: 'stop', chatId, runId }, 'POST', `/api/chat/${chatId}/stop`),
    load: async (sessionId: string, chatId: string): Promise<LoadedChat> => {
      const path = `/api/sessions/${sessionId}/chats/${chatId}`
      // The checker validates every field of this body.
      return (await sendRepeatable({ kind: 'load', chatId }, 'GET', path)).json as unknown as LoadedChat
    },
    deleteSession: (sessionId: string, chatId: string): Promise<JsonResponse> =>
      sendRepeatable({ kind: 'delete', chatId }, 'DELETE', `/api/sessions/${sessionId}`, [200, 404]),
    /** Releases the held messages of a chat. */
    resume: (chatId: string): Promise<JsonResponse> =>
      sendRepeatable({ kind: 'resume', chatId }, 'POST', `/api/chat/${chatId}/queue/resume`),
    /** Polls until the message leaves the queue or the queue is held. */
    untilDecided: async ({ chatId, queueId }: Queued): Promise<QueueEntry> => {
      for (let attempt = 0; ; attempt++) {
        const { json: entry } = await read(`/api/chat/${chatId}/queue/${queueId}`)
        if (entry['state'] !== 'waiting') return entry as QueueEntry
        const { json: queue } = await read(`/api/chat/${chatId}/queue`)
        if (queue['held'] === true) return entry as QueueEntry
        await pause(Math.min(50 + 50 * attempt, 500))
      }
    },
    /** Polls until the run has ended. */
    untilEnded: async (runId: string): Promise<void> => {
      for (let attempt = 0; ; attempt++) {
        const { json } = await read(`/api/chat/runs/${runId}`)
        if (json['status'] !== 'queued' && json['status'] !== 'running') return context.ended(runId)
        await pause(Math.min(200 + 100 * attempt, 1000))
      }
    },
  }
}

export type Client = ReturnType<typeof createClient>
