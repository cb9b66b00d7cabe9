/** An HTTP request to a URL from a caller, an agent or a third party. The body of the response is streamed. */
export type EgressStreamRequest = {
  url: string
  /** Default: GET. */
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Time limit in milliseconds for name resolution, redirects and body together. */
  timeoutMs: number
  /** Allow only https at port 443, also after redirects. */
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
  /** True when `body` is not the complete body. */
  truncated: boolean
}

/**
 * Sends requests to untrusted addresses. Connects only to public addresses and to the open paths of the deployment's own
 * address, whatever a name resolves to and wherever a redirect leads. After a redirect to another origin, only headers that
 * do not identify the sender remain.
 */
export type EgressPort = {
  /** Sends a request. Throws `EgressError`, or the reason of the request's signal. */
  send(request: EgressRequest): Promise<EgressResponse>
  /** Like `send`, for a body of any size, which `take` reads. Also throws the errors of `take`. */
  receive<T>(request: EgressStreamRequest, take: (response: EgressStream) => Promise<T>): Promise<T>
}

/** Error messages. They contain no input and can be shown to the caller. */
const texts = {
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

type EgressFault = keyof typeof texts

/** Failure of a request, by cause. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly fault: EgressFault

  constructor(fault: EgressFault, options?: ErrorOptions) {
    super(texts[fault], options)
    this.fault = fault
  }
}
