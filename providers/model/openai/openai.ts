import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { Agent } from 'undici'
import { createToolNames } from '../../../domain/chat/prompt/valid-names.ts'
import { withoutTrailingSlashes } from '../../../domain/fields/addresses.ts'
import { describeModel } from '../sizes.ts'
import { deliverParts, PartHandlerError, readChunks } from '../delivery.ts'
import { ModelError, type ModelCall, type ModelPort, type PartHandler } from '../index.ts'
import { AnswerReader } from './answer.ts'
import { networkError, silenceError, statusError } from '../errors.ts'
import { toWireMessages, toWireTools, serializeMembers, withCacheMarks } from './prompt.ts'

export type OpenAiOptions = {
  /** Namespace of this adapter's data in `providerMetadata`. */
  name: string
  /** Base URL, up to and including the version: `https://api.example.com/v1`. */
  baseUrl: string
  apiKey?: string
  headers?: Record<string, string>
  /** Returns the server's name of a model id. */
  modelName: (modelId: string) => string
  /** Returns the vendor of a model, for a server of several vendors. A vendor rejects content signed by another vendor. */
  vendor?: (modelId: string) => string | undefined
  /** True for models whose prompt cache requires markers. */
  cacheMarks?: (modelId: string) => boolean
  /** Context window in tokens that is assumed for a model of unknown size. */
  contextWindow: number
  /** Time without received data after which a call fails. */
  silenceTimeoutMs?: number
  /** Called once for a server that reports impossible usage or prices. */
  onInvalidUsage?: ((modelId: string, fields: string[]) => void) | undefined
}

const maxErrorBodyBytes = 64 * 1024
/** Maximum wait for the usage and the end marker after the finish reason, and for the end of the body after the marker. */
const usageTimeoutMs = 2000
const endTimeoutMs = 100

/** Created once, because an abort without a reason would create an error with a stack trace for every call. */
const responseEndedReason = new Error('the response is no longer read')

/** Aborts a call that receives no data for some time. */
class SilenceTimer {
  readonly #call: AbortController
  readonly #ms: number
  #timer: NodeJS.Timeout
  #deadline = Infinity
  #lastDataAt = performance.now()

  constructor(call: AbortController, ms: number) {
    this.#call = call
    this.#ms = ms
    this.#timer = setTimeout(() => this.#fire(), ms)
  }

  /** Extends the wait. Resetting the timer for each token would cost more than checking the time when it fires. */
  recordData(): void {
    this.#lastDataAt = performance.now()
  }

  /** Sets a deadline for the end of the stream, which further bytes do not extend. */
  awaitEnd(ms: number): void {
    const wait = Math.min(ms, this.#ms)
    if (Date.now() + wait >= this.#deadline) return
    this.#deadline = Date.now() + wait
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#fire(), wait)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #fire(): void {
    const remainingMs = this.#deadline === Infinity ? this.#lastDataAt + this.#ms - performance.now() : 0
    if (remainingMs > 1) this.#timer = setTimeout(() => this.#fire(), remainingMs)
    else this.#call.abort(silenceError(this.#ms))
  }
}

/** Creates the adapter of a server with the OpenAI chat completions protocol. It has its own connection pool. */
export function createOpenAiModel(options: OpenAiOptions): ModelPort & { close(): Promise<void> } {
  const { name, apiKey, silenceTimeoutMs = 60_000 } = options
  const url = new URL(`${withoutTrailingSlashes(options.baseUrl)}/chat/completions`)
  const agent = new Agent({
    connect: { timeout: 10_000 },
    keepAliveTimeout: 10_000,
    // `SilenceTimer` limits the time without data instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  /** Models that have rejected `max_tokens`, as newer OpenAI models do. */
  const rejectsMaxTokens = new Set<string>()
  let hasReportedInvalidUsage = false
  const reportInvalidUsage = (modelId: string, fields: string[]): void => {
    if (!hasReportedInvalidUsage) options.onInvalidUsage?.(modelId, fields)
    hasReportedInvalidUsage = true
  }
  const headers = {
    ...options.headers,
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(apiKey !== undefined && apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
  }

  const buildBody = (call: ModelCall): string => {
    const source = { adapter: name, vendor: options.vendor?.(call.modelId) }
    const { toWire } = createToolNames(call.tools.map((tool) => tool.name))
    const unmarked = { messages: toWireMessages(call.prompt, source), tools: toWireTools(call.tools, toWire) }
    const { messages, tools } =
      options.cacheMarks?.(call.modelId) === true ? withCacheMarks(unmarked.messages, unmarked.tools) : unmarked
    const limitName = rejectsMaxTokens.has(call.modelId) ? 'max_completion_tokens' : 'max_tokens'
    const rest = {
      model: options.modelName(call.modelId),
      ...(call.maxOutputTokens !== undefined && { [limitName]: call.maxOutputTokens }),
      stream: true,
      stream_options: { include_usage: true },
    }
    const toolsMember = tools.length > 0 ? `,"tools":${serializeMembers(tools)}` : ''
    return `${JSON.stringify(rest).slice(0, -1)},"messages":${serializeMembers(messages)}${toolsMember}}`
  }

  const sendRequest = async (call: ModelCall, signal: AbortSignal): Promise<Readable> => {
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: call.idempotencyKey === undefined ? headers : { ...headers, 'idempotency-key': call.idempotencyKey },
      body: buildBody(call),
      signal,
    })
    const type = String(response.headers['content-type'] ?? '')
    if (response.statusCode === 200 && !/^(application\/json|text\/html)/i.test(type)) return response.body
    const body = await readCapped(response.body)
    if (response.statusCode === 400 && isTokenLimitRejected(call, body) && !rejectsMaxTokens.has(call.modelId)) {
      rejectsMaxTokens.add(call.modelId)
      // The server would reject a different body with the same key.
      const { idempotencyKey: key } = call
      return sendRequest({ ...call, ...(key !== undefined && { idempotencyKey: `${key}:limit` }) }, signal)
    }
    if (response.statusCode === 200)
      throw new ModelError(`the model provider returned ${type} instead of an event stream`, { retryable: true })
    throw statusError({ status: response.statusCode, headers: response.headers, body }, apiKey)
  }

  const stream = async (call: ModelCall, signal: AbortSignal, onPart: PartHandler): Promise<void> => {
    signal.throwIfAborted()
    // A controller with a listener costs a fraction of `AbortSignal.any`.
    const request = new AbortController()
    const abort = (): void => request.abort(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    const silence = new SilenceTimer(request, silenceTimeoutMs)
    const toolName = createToolNames(call.tools.map((tool) => tool.name)).fromWire
    const source = { adapter: name, vendor: options.vendor?.(call.modelId), toolName }
    const reader = new AnswerReader(source, apiKey, (fields) => reportInvalidUsage(call.modelId, fields))
    try {
      const body = await sendRequest(call, request.signal)
      const decoder = new StringDecoder('utf8')
      await deliverParts([{ type: 'stream-start', warnings: [] }], onPart)
      try {
        await readChunks(body, (chunk) => {
          silence.recordData()
          const delivered = deliverParts(reader.feed(decoder.write(chunk)), onPart)
          if (reader.state === 'ended') silence.awaitEnd(endTimeoutMs)
          else if (reader.state === 'finished') silence.awaitEnd(usageTimeoutMs)
          return delivered
        })
      } catch (error) {
        // After the finish reason the response is complete, and only its usage may be missing.
        if (reader.state === 'open' || signal.aborted || error instanceof PartHandlerError) throw error
      }
      await deliverParts(reader.end(), onPart)
    } catch (error) {
      if (error instanceof PartHandlerError) throw error.cause
      signal.throwIfAborted()
      if (error instanceof ModelError) throw error
      request.signal.throwIfAborted()
      throw networkError(error, apiKey)
    } finally {
      silence.stop()
      signal.removeEventListener('abort', abort)
      request.abort(responseEndedReason)
    }
  }

  return {
    stream,
    describe: () => Promise.resolve(describeModel(options.contextWindow)),
    close: () => agent.destroy(),
  }
}

/** True if the server rejected the request because the token limit has another name for this model. */
function isTokenLimitRejected({ maxOutputTokens }: ModelCall, body: string): boolean {
  return maxOutputTokens !== undefined && body.includes('max_completion_tokens')
}

async function readCapped(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxErrorBodyBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxErrorBodyBytes).toString('utf8')
}
