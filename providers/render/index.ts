import type { RenderLog, RenderRequest, RenderResult, RenderState } from '../../domain/renders.ts'

type SubmitOptions = {
  /** One per piece of work: the same key again names the same job and costs nothing. */
  key: string
  /** An earlier submit of this key may have arrived: a provider without keys of its own looks for it first. */
  isRepeat?: boolean
  /** Whose work it is, where the provider serves accounts in turns. */
  accountId?: string | undefined
  /** Where the provider may tell that the job has ended: a hint, nothing more. */
  webhookUrl?: string | undefined
  signal?: AbortSignal | undefined
}

type RenderCall = { signal?: AbortSignal | undefined }

/** Renders music and video, which takes minutes. Throws `ProviderFault`. */
export type RenderPort = {
  /** Faults: invalid, capacity, unavailable, timeout. */
  submit(request: RenderRequest, options: SubmitOptions): Promise<{ requestId: string }>
  /** Oldest log first; the last ones where there are many. Faults: not_found, unavailable. */
  status(requestId: string, options?: RenderCall): Promise<{ state: RenderState; logs: RenderLog[] }>
  /** Of a completed job; its address is outside input. Faults: not_found, unavailable. */
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
