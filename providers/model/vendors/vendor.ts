import type { LanguageModelV3, LanguageModelV3Prompt } from '@ai-sdk/provider'
import { createToolNames } from '../../../domain/chat/prompt/valid-names.ts'
import { describeModel } from '../sizes.ts'
import { deliverParts, PartHandlerError } from '../delivery.ts'
import type { ModelCall, ModelPort, PartHandler } from '../index.ts'
import { incompleteStreamError, silenceError } from '../errors.ts'
import { toModelError } from './errors.ts'

type Fetch = typeof globalThis.fetch

export type VendorConnection = { apiKey: string; baseUrl: string; fetch: Fetch }

/** A vendor's AI SDK provider. */
export type Vendor = {
  /** Returns the model with the vendor's own name, without the prefix of its id. */
  model(name: string): LanguageModelV3
  /** Adds the vendor's options to a prompt, such as cache marks. */
  prepare(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt
}

export type VendorOptions = {
  apiKey: string
  baseUrl: string
  /** Loads the vendor's library on the first call. */
  load: () => Promise<(connection: VendorConnection) => Vendor>
  /** Context window in tokens. */
  contextWindow: number
  /** Time without received data after which a call fails. */
  silenceTimeoutMs?: number | undefined
}

/** Creates the adapter of a vendor's AI SDK provider. Calls are not retried. */
export function createVendorModel(options: VendorOptions): ModelPort {
  const { apiKey, baseUrl, load, silenceTimeoutMs = 60_000 } = options
  const description = describeModel(options.contextWindow)
  let loading: ReturnType<typeof load> | undefined

  const request = async (
    call: ModelCall,
    toWire: (name: string) => string,
    signal: AbortSignal,
    onData: () => void,
  ) => {
    const createVendor = await (loading ??= load())
    const vendor = createVendor({ apiKey, baseUrl, fetch: (input, init) => fetchWithProgress(input, init, onData) })
    return vendor.model(call.modelId.slice(call.modelId.indexOf('/') + 1)).doStream({
      prompt: renameTools(vendor.prepare(call.prompt), toWire),
      tools: call.tools.map((tool) => ({ ...tool, name: toWire(tool.name) })),
      maxOutputTokens: call.maxOutputTokens ?? description.outputReserve,
      abortSignal: signal,
      ...(call.idempotencyKey !== undefined && { headers: { 'idempotency-key': call.idempotencyKey } }),
    })
  }

  const stream = async (call: ModelCall, signal: AbortSignal, onPart: PartHandler): Promise<void> => {
    signal.throwIfAborted()
    const closed = new AbortController()
    const silence = setTimeout(() => closed.abort(silenceError(silenceTimeoutMs)), silenceTimeoutMs)
    const { toWire, fromWire } = createToolNames(call.tools.map(({ name }) => name))
    try {
      const result = await request(call, toWire, AbortSignal.any([signal, closed.signal]), () => silence.refresh())
      let isFinished = false
      for await (const part of result.stream) {
        if (part.type === 'error') throw toModelError(part.error, apiKey)
        // Without the vendor's finish reason, the stream is incomplete.
        if (part.type === 'finish') isFinished = part.finishReason.raw !== undefined
        if (part.type !== 'finish' || isFinished)
          await deliverParts(['toolName' in part ? { ...part, toolName: fromWire(part.toolName) } : part], onPart)
      }
      if (!isFinished) throw incompleteStreamError()
    } catch (error) {
      if (error instanceof PartHandlerError) throw error.cause
      signal.throwIfAborted()
      closed.signal.throwIfAborted()
      throw toModelError(error, apiKey)
    } finally {
      clearTimeout(silence)
      closed.abort()
    }
  }

  return { stream, describe: () => Promise.resolve(description) }
}

/** Fetches and calls `onData` for each chunk, including the keep-alive events that vendors' libraries discard. */
async function fetchWithProgress(input: Parameters<Fetch>[0], init: Parameters<Fetch>[1], onData: () => void) {
  const response = await fetch(input, init)
  if (response.body === null) return response
  const observed = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        onData()
        controller.enqueue(chunk)
      },
    }),
  )
  const { status, statusText, headers } = response
  return new Response(observed, { status, statusText, headers })
}

/** Renames the tools of earlier calls in a prompt. */
function renameTools(prompt: LanguageModelV3Prompt, toWire: (name: string) => string): LanguageModelV3Prompt {
  const rename = <P extends { type: string }>(part: P): P =>
    'toolName' in part && typeof part.toolName === 'string' ? { ...part, toolName: toWire(part.toolName) } : part
  return prompt.map((message) => {
    if (message.role === 'assistant') return { ...message, content: message.content.map(rename) }
    return message.role === 'tool' ? { ...message, content: message.content.map(rename) } : message
  })
}
