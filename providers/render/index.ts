import type { RenderLog, RenderRequest, RenderResult, RenderState } from '../../domain/renders.ts'

type SubmitOptions = {
  /** Idempotency key. A repeated key returns the same job at no cost. */
  key: string
  /** True if an earlier submit with this key may have arrived. A provider without idempotency keys searches for it first. */
  isRepeat?: boolean
  /** Account of the job, for a provider that serves accounts round robin. */
  accountId?: string | undefined
  /** URL that the provider can call when the job has ended. The call only triggers a status request. */
  webhookUrl?: string | undefined
  signal?: AbortSignal | undefined
}

type RenderCall = { signal?: AbortSignal | undefined }

/** Renders music and video. A job takes minutes. Throws `ProviderError`. */
export type RenderPort = {
  /** Submits a job. Throws `invalid`, `capacity`, `unavailable` or `timeout`. */
  submit(request: RenderRequest, options: SubmitOptions): Promise<{ requestId: string }>
  /** Reads the status with the last log entries, oldest first. Throws `not_found` or `unavailable`. */
  status(requestId: string, options?: RenderCall): Promise<{ state: RenderState; logs: RenderLog[] }>
  /** Returns the result of a completed job. The URL is untrusted. Throws `not_found` or `unavailable`. */
  result(requestId: string, options?: RenderCall): Promise<RenderResult>
  /** Cancels a job if the provider can still stop it. Does nothing for an ended or unknown job. Throws `unavailable`. */
  cancel(requestId: string, options?: RenderCall): Promise<void>
  /**
   * Identifies the job of a call to `webhookUrl` from its headers, with names in lower case, and its raw body. Throws
   * `invalid` unless the provider has signed the call. Absent if the provider has no webhooks.
   */
  verifyWebhook?(
    headers: Readonly<Record<string, string | undefined>>,
    body: Buffer,
  ): Promise<{ requestIdPrefix: string }>
}
