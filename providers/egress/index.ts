/** One HTTP request to an address that a caller, an agent or a third party gave, whose body is taken as it comes. */
export type EgressStreamRequest = {
  url: string
  /** Default: GET. */
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Milliseconds for all of it: names, redirects and body. */
  timeoutMs: number
  /** Only https at its own port, wherever a redirect leads. */
  secureOnly?: boolean
  /** Redirects that are followed. Default: 5. */
  maxRedirects?: number
  signal?: AbortSignal
}

export type EgressRequest = EgressStreamRequest & {
  /** Bytes of the body that are kept, after decompression; the rest is not read. */
  maxBytes: number
}

type EgressHead = {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Where the answer came from: the address after the last redirect. */
  url: string
}

/** The body is decompressed while it is read, and ends with an `EgressFailure` where it breaks off. */
type EgressStream = EgressHead & { body: AsyncIterable<Uint8Array> }

type EgressAnswer = EgressHead & {
  body: Uint8Array
  /** True when the body goes on behind `body`. */
  truncated: boolean
}

/**
 * The way out for every address from outside. Only public addresses are dialled, and the deployment's own with its open
 * paths, whatever a name resolves to and wherever a redirect leads; after a redirect to another origin only headers that
 * say nothing about the sender remain.
 */
export type EgressPort = {
  /** Throws `EgressFailure`, or the reason of the request's signal. */
  send(request: EgressRequest): Promise<EgressAnswer>
  /** As `send`, for a body of any size: it can be read until `take` is done. Throws what `take` throws, too. */
  receive<T>(request: EgressStreamRequest, take: (answer: EgressStream) => Promise<T>): Promise<T>
}

/** Why a request failed, in texts that may be shown to its caller. */
const texts = {
  secure: 'Only https addresses without a port can be fetched',
  url: 'Only http and https addresses without credentials can be fetched',
  address: 'The address is not public',
  closed: 'This path of the platform is closed to agents',
  redirects: 'Too many redirects',
  request: 'The request is not valid',
  answer: 'The answer is not valid',
  name: 'The host name could not be resolved',
  connection: 'The connection failed',
  certificate: 'The certificate of the server is not valid',
  time: 'The request took too long',
}

type EgressFault = keyof typeof texts

export class EgressFailure extends Error {
  override readonly name = 'EgressFailure'
  readonly fault: EgressFault

  constructor(fault: EgressFault, options?: ErrorOptions) {
    super(texts[fault], options)
    this.fault = fault
  }
}
