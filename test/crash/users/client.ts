import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Random } from '../../world/random.ts'
import type { LoadedChat, Operation, Reading } from '../records/records.ts'

/** State that all clients of a workload share and write. */
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

/** The workload has passed its deadline. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/** A response that a correct client never gets, whatever breaks. */
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

/** A silence that a client treats as a broken connection: streams have a heartbeat. */
const silenceMs = 25_000
const usualWaitMs = 20_000
const shortestPauseMs = 100
const longestPauseMs = 2000

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

/** The result of a request that starts work: a run and its stream, or what prevents it. */
export type Started =
  | { runId: string; chatId: string; sessionId?: string | undefined; body?: Body }
  | 'busy'
  | 'no sandbox'
  | 'gone'
  /** The message that it answers or regenerates has changed: another client was faster. */
  | 'stale'

/** A message that waits for its chat. */
export type Queued = { queueId: string; chatId: string }
/** The state of its queue entry. */
export type QueueEntry = { state: string; runId: string | null }

/** One person's device: sends requests, records them with their responses, and retries like a correct client. */
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

  /** Resolves to undefined when the connection failed or broke: the outcome of the request is unknown. */
  const open = async (
    method: Dispatcher.HttpMethod,
    path: string,
    sending: Sending = {},
  ): Promise<ClientResponse | undefined> => {
    if (deadline.aborted) throw new DeadlinePassed('the deadline has passed')
    const urls = context.apiUrls()
    if (urls.length === 0) return undefined
    const { body, waitMs = usualWaitMs } = sending
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
        bodyTimeout: silenceMs,
        signal: deadline,
      })
      // An error of a body that is not read to its end is ignored.
      response.body.on('error', () => {})
      return { status: response.statusCode, headers: response.headers, body: response.body }
    } catch {
      return undefined
    }
  }

  const note = (operation: NewOperation): Operation => {
    const noted = { id: `${name}:${operationCount++}`, requestedAt: Date.now(), ...operation }
    operations.push(noted)
    return noted
  }

  const pauseBefore = (attempt: number, response: JsonResponse | undefined): Promise<void> => {
    const retryAfterMs = Number(response && readHeader(response, 'retry-after')) * 1000 || 0
    return pause(Math.max(retryAfterMs, Math.min(shortestPauseMs * 2 ** attempt, longestPauseMs)))
  }

  const reportUnexpected = (what: string, response: JsonResponse): UnexpectedResponse => {
    const text = `${name}: ${what} responded ${response.status} ${JSON.stringify(response.json).slice(0, 300)}`
    context.reportUnexpected(text)
    return new UnexpectedResponse(text)
  }

  /** Repeats a request until a response arrives that no temporary fault explains. */
  const sendUntilExpected = async (
    what: string,
    sendOnce: (attempt: number) => Promise<JsonResponse | undefined>,
    expected: readonly number[] = [200],
  ): Promise<JsonResponse> => {
    for (let attempt = 0; ; attempt++) {
      const response = await sendOnce(attempt)
      if (response !== undefined && expected.includes(response.status)) return response
      if (response !== undefined && !retryableStatuses.has(response.status) && !isInProgress(response))
        throw reportUnexpected(what, response)
      await pauseBefore(attempt, response)
    }
  }

  /** Sends under an idempotency key until it gets a response; every attempt but the first is a repetition. */
  const submit = async (
    path: '/api/chat' | '/api/chat/runs',
    request: NewOperation & { idempotencyKey: string },
    body: object,
  ): Promise<Started | Queued> => {
    for (let attempt = 0; ; attempt++) {
      const operation = note({ ...request, kind: attempt === 0 ? request.kind : 'repeat' })
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
        throw reportUnexpected(`POST ${path}`, read)
      }
      await pauseBefore(attempt, read)
    }
  }

  /** Like `submit`, for a request that never waits. */
  const start = async (...sent: Parameters<typeof submit>): Promise<Started> => {
    const started = await submit(...sent)
    if (typeof started === 'object' && 'queueId' in started)
      throw new UnexpectedResponse(`${name}: a message was queued unexpectedly`)
    return started
  }

  /** Not recorded as an operation. */
  const read = (path: string): Promise<JsonResponse> =>
    sendUntilExpected(`GET ${path}`, async () => readJson(await open('GET', path)))

  /** Performs an operation that may be repeated without a key, and records each attempt. */
  const sendRepeatable = (
    operation: NewOperation,
    method: Dispatcher.HttpMethod,
    path: string,
    expected: readonly number[] = [200],
  ): Promise<JsonResponse> =>
    sendUntilExpected(
      `${method} ${path}`,
      async () => {
        const noted = note(operation)
        const response = await readJson(await open(method, path))
        if (response === undefined) return undefined
        recordResponse(noted, response)
        // The body of a 200 of this route; the checker examines every field of it.
        if (operation.kind === 'load' && response.status === 200) noted.loaded = response.json as unknown as LoadedChat
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
    /** Creates what a turn needs; not recorded as an operation. */
    prepare: (path: string, body: object, options: { key?: string; waitMs?: number } = {}): Promise<JsonResponse> =>
      sendUntilExpected(
        `POST ${path}`,
        async () => {
          const headers = options.key === undefined ? undefined : { 'idempotency-key': options.key }
          const { waitMs = usualWaitMs } = options
          return readJson(await open('POST', path, { body, headers, waitMs }))
        },
        [200, 201],
      ),
    /** Makes a change that may be repeated; not recorded as an operation. */
    change: (path: string, body: object): Promise<JsonResponse> =>
      sendUntilExpected(`PATCH ${path}`, async () => readJson(await open('PATCH', path, { body }))),
    read,
    stop: (chatId: string, runId: string): Promise<JsonResponse> =>
      sendRepeatable({ kind: 'stop', chatId, runId }, 'POST', `/api/chat/${chatId}/stop`),
    load: async (sessionId: string, chatId: string): Promise<LoadedChat> => {
      const path = `/api/sessions/${sessionId}/chats/${chatId}`
      // As above: the checker examines every field of the body.
      return (await sendRepeatable({ kind: 'load', chatId }, 'GET', path)).json as unknown as LoadedChat
    },
    deleteSession: (sessionId: string, chatId: string): Promise<JsonResponse> =>
      sendRepeatable({ kind: 'delete', chatId }, 'DELETE', `/api/sessions/${sessionId}`, [200, 404]),
    /** Releases held messages. */
    resume: (chatId: string): Promise<JsonResponse> =>
      sendRepeatable({ kind: 'resume', chatId }, 'POST', `/api/chat/${chatId}/queue/resume`),
    /** Polls until the message no longer waits, or its queue is held. */
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
