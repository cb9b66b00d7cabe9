import type { ModelInputs } from '../../domain/chat/attachments.ts'
import type { RejectionCause } from '../../domain/chat/model-rejections.ts'
import type { TokenPrices } from '../../domain/credits/token-prices.ts'
import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt, LanguageModelV3StreamPart } from '@ai-sdk/provider'

/** Request of one model call. It contains nothing that identifies an account. */
export type ModelCall = {
  /** Idempotency key of one attempt, sent if the vendor supports keys. A retry is a new paid request with a new key. */
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
  /** Input types that the model accepts in addition to text, if known. */
  inputs?: ModelInputs
  prices?: TokenPrices
  pricesFrom?: 'settings' | 'gateway'
  unset?: true
}

/** Parts of one call. The `finish` part may carry `providerMetadata.gateway.cost`, the call's price in USD. */
export type ModelPart = LanguageModelV3StreamPart

/** Receives the parts of one call in order. A returned promise delays the next part until it resolves. */
export type PartHandler = (part: ModelPart) => Promise<void> | undefined

/** Calls models of one or more vendors. Adapters do not retry. */
export type ModelPort = {
  /**
   * Passes the parts of one call to `onPart` and resolves at the end of the response. Rejects with `ModelError` if the call
   * fails before or during the stream, with the abort reason of the signal, or with the error of `onPart`.
   */
  stream(call: ModelCall, signal: AbortSignal, onPart: PartHandler): Promise<void>
  /** Never rejects. The first call can take five seconds, while prices are read. */
  describe(modelId: string): Promise<ModelDescription>
}

/** Data about the models of a deployment, read without a model call. */
export type ModelCatalog = Pick<ModelPort, 'describe'> & {
  /** Lists the ids of the embedded model and of the models in the settings and in the gateway's catalog. Never rejects. */
  list(): Promise<string[]>
}

type ModelErrorOptions = {
  retryable: boolean
  retryAfterMs?: number | undefined
  cause?: unknown
  rejection?: RejectionCause | undefined
  detail?: string | undefined
}

/** Failure of a model call, with the data that determines whether and when it is retried. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  /** False when a retry cannot succeed, for example after an invalid request or credential. */
  readonly retryable: boolean
  /** The provider's own `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** Reason for which the provider rejected the call, if it reported one. */
  readonly rejection: RejectionCause | undefined
  /** Error message of the provider, without credentials. Shown on the page of the run. */
  readonly detail: string | undefined

  constructor(message: string, options: ModelErrorOptions) {
    super(message, { cause: options.cause })
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs
    this.rejection = options.rejection
    this.detail = options.detail
  }
}
