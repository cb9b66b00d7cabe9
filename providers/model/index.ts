import type { ModelInputs } from '../../domain/chat/attachments.ts'
import type { ModelFault } from '../../domain/chat/model-faults.ts'
import type { TokenPrices } from '../../domain/credits/model-prices.ts'
import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt, LanguageModelV3StreamPart } from '@ai-sdk/provider'

/** One model call: a prompt in, a stream of parts out. Nothing in the prompt's envelope names an account. */
export type ModelCall = {
  /** One name for one paid request, never used for another: a retry has its own. Sent where the vendor takes one. */
  idempotencyKey?: string
  /** `provider/model`, for example `local/echo`, `custom/llama-3`, `openai/gpt-5`. */
  modelId: string
  prompt: LanguageModelV3Prompt
  tools: LanguageModelV3FunctionTool[]
  maxOutputTokens?: number
}

/** Sizes in tokens. Prices are absent when unknown. `unset`: a setting is missing, and every call fails. */
export type ModelDescription = {
  contextWindow: number
  outputReserve: number
  /** What the model reads beside text, as far as it is known. */
  inputs?: ModelInputs
  prices?: TokenPrices
  pricesFrom?: 'settings' | 'gateway'
  unset?: true
}

/** Parts of one call. The `finish` part may carry `providerMetadata.gateway.cost`, the call's price in USD. */
export type ModelPart = LanguageModelV3StreamPart

/**
 * What is bought from a model vendor. Adapters make no retries of their own.
 * `stream` throws `ModelError` when the call fails before or during the stream; an aborted signal ends it with the signal's reason.
 */
export type ModelPort = {
  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelPart>
  /** Never rejects. The first one may take five seconds, while prices are read. */
  describe(modelId: string): Promise<ModelDescription>
}

/** What a deployment can tell of its models without calling one. */
export type ModelLists = Pick<ModelPort, 'describe'> & {
  /** Ids that the built-in models, the settings and the catalog of the gateway name. Never rejects. */
  list(): Promise<string[]>
}

type ModelErrorOptions = {
  retryable: boolean
  retryAfterMs?: number | undefined
  cause?: unknown
  fault?: ModelFault | undefined
  detail?: string | undefined
}

/** Why a model call failed, as far as it decides what happens next. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  /** False when trying again cannot help: a bad request, a bad credential. */
  readonly retryable: boolean
  /** The provider's own `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** What the provider refused the call for, where it said so. */
  readonly fault: ModelFault | undefined
  /** The provider's own words, without credentials: for the page of the run. */
  readonly detail: string | undefined

  constructor(message: string, options: ModelErrorOptions) {
    super(message, { cause: options.cause })
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs
    this.fault = options.fault
    this.detail = options.detail
  }
}
