import type { RenderLog, RenderRequest, RenderResult, RenderState } from '../../domain/renders.ts'

export type SubmitOptions = {
  /** One per piece of work: the same key again names the same job and costs nothing. */
  key: string
  /** Where the provider may tell that the job has ended: a hint, nothing more. */
  webhookUrl?: string | undefined
  signal?: AbortSignal | undefined
}

export type RenderCall = { signal?: AbortSignal | undefined }

/** Renders music and video, which takes minutes. Throws `ProviderFault`. */
export type RenderPort = {
  /** Faults: invalid, capacity, unavailable, timeout. */
  submit(request: RenderRequest, options: SubmitOptions): Promise<{ requestId: string }>
  /** Oldest log first; the last ones where there are many. Faults: not_found, unavailable. */
  status(requestId: string, options?: RenderCall): Promise<{ state: RenderState; logs: RenderLog[] }>
  /** Of a completed job; its address is outside input. Faults: not_found, unavailable. */
  result(requestId: string, options?: RenderCall): Promise<RenderResult>
}
