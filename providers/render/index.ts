import type { RenderLog, RenderRequest, RenderResult, RenderState } from '../../domain/renders.ts'

type SubmitOptions = {
  /** Idempotency key of the work. A repeated key returns the same job at no cost. */
  key: string
  /** True if an earlier submit of this key may have arrived. A provider without keys looks for it first. */
  isRepeat?: boolean
  /** Account of the work, for a provider that serves accounts in turn. */
  accountId?: string | undefined
  /** URL that the provider may call when the job has ended. The call only triggers a status request. */
  webhookUrl?: string | undefined
  signal?: AbortSignal | undefined
}

type RenderCall = { signal?: AbortSignal | undefined }

/** Renders music and video. A job takes minutes. Throws `ProviderError`. */
export type RenderPort = {
  /** Faults: invalid, capacity, unavailable, timeout. */
  submit(request: RenderRequest, options: SubmitOptions): Promise<{ requestId: string }>
  /** Reads the status with the last log entries, oldest first. Faults: not_found, unavailable. */
  status(requestId: string, options?: RenderCall): Promise<{ state: RenderState; logs: RenderLog[] }>
  /** Returns the result of a completed job. Its address is untrusted. Faults: not_found, unavailable. */
  result(requestId: string, options?: RenderCall): Promise<RenderResult>
  /** Cancels a job that is no longer needed, as far as possible. No-op for an ended or unknown job. Faults: unavailable. */
  cancel(requestId: string, options?: RenderCall): Promise<void>
  /**
   * Identifies the job of a call to `webhookUrl`; header names in lower case, the raw body. Throws `invalid` unless the
   * provider has signed the call. Absent if the provider has no webhooks.
   */
  verifyWebhook?(
    headers: Readonly<Record<string, string | undefined>>,
    body: Buffer,
  ): Promise<{ requestIdPrefix: string }>
}
