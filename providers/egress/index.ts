/** An HTTP request to a URL from a caller, an agent or a third party. The body of the response is streamed. */
export type EgressStreamRequest = {
  url: string
  /** Default: GET. */
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Total time limit for name resolution, redirects and the body. */
  timeoutMs: number
  /** Allows only HTTPS on port 443, including after redirects. */
  secureOnly?: boolean
  /** Maximum number of redirects. Default: 5. */
  maxRedirects?: number
  signal?: AbortSignal
}

export type EgressRequest = EgressStreamRequest & {
  /** Maximum bytes of the decompressed body. The rest is not read. */
  maxBytes: number
}

type EgressHead = {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** URL of the response, after the last redirect. */
  url: string
}

/** The body is decompressed as it is read. If it ends early, reading throws an `EgressError`. */
type EgressStream = EgressHead & { body: AsyncIterable<Uint8Array> }

type EgressResponse = EgressHead & {
  body: Uint8Array
  /** True if `body` is not the complete body. */
  truncated: boolean
}

/**
 * Sends requests to untrusted URLs. Connects only to public addresses and to open paths of this deployment, including after
 * name resolution and redirects. After a redirect to another origin, only headers that do not identify the sender are sent.
 */
export type EgressPort = {
  /** Sends a request. Throws `EgressError`, or the abort reason of the request's signal. */
  send(request: EgressRequest): Promise<EgressResponse>
  /** Like `send`, for a body of any size, which `consume` reads. Also throws the errors of `consume`. */
  receive<T>(request: EgressStreamRequest, consume: (response: EgressStream) => Promise<T>): Promise<T>
}

/** Error messages by code. They contain no input and can be shown to the caller. */
const messages = {
  secure: 'Only HTTPS URLs without a port can be fetched',
  url: 'Only HTTP and HTTPS URLs without credentials can be fetched',
  address: 'The address is not public',
  closed: 'This path of the platform is closed to agents',
  redirects: 'Too many redirects',
  request: 'The request is not valid',
  response: 'The response is not valid',
  name: 'The host name does not resolve',
  connection: 'The connection failed',
  certificate: 'The certificate of the server is not valid',
  time: 'The request took too long',
}

type EgressErrorCode = keyof typeof messages

/** Failure of a request. `reason` names the cause. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly reason: EgressErrorCode

  constructor(reason: EgressErrorCode, options?: ErrorOptions) {
    super(messages[reason], options)
    this.reason = reason
  }
}
