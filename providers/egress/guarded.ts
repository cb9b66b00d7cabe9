import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector, errors, type Dispatcher } from 'undici'
import { relativePath } from '../../domain/runs/paths.ts'
import { isPublicAddress } from './addresses.ts'
import { decodeBody, readBody } from './body.ts'
import { createConnector } from './connector.ts'
import { firstHop, nextHop } from './hops.ts'
import { EgressError, type EgressPort, type EgressStreamRequest } from './index.ts'

export type EgressOptions = {
  /** URL of this deployment, which may be private, and a predicate for the paths under it that may be requested. */
  own?: { baseUrl: string; isOpen: (path: string) => boolean }
  /** Name resolver. Default: the system's. */
  lookup?: LookupFunction
  /** Predicate for allowed addresses. Default: public addresses. */
  mayDial?: (address: string) => boolean
  /** Time limit of one connection attempt. Default: 10 s. */
  connectTimeoutMs?: number
}

const nameErrorCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME'])
const requestErrorCodes = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'ERR_INVALID_CHAR'])

/** Error codes of invalid responses: decompression errors, oversized headers and wrong content lengths. */
const responseErrorCodes = /^Z_|BROTLI|^ERR__ERROR|^UND_ERR_HEADERS_OVERFLOW|^UND_ERR_RES_/

/** Agents for this deployment's URL and for all other URLs. */
type Agents = { own: Agent; other: Agent }

/**
 * Creates the client for requests to untrusted URLs. It ignores proxies from the environment, because they would connect to
 * unchecked addresses.
 */
export function createEgress(options: EgressOptions = {}): EgressPort {
  const { lookup = systemLookup, connectTimeoutMs = 10_000 } = options
  const connectors = {
    own: buildConnector({ timeout: connectTimeoutMs, lookup }),
    other: createConnector({ lookup, mayDial: options.mayDial ?? isPublicAddress, timeoutMs: connectTimeoutMs }),
  }
  const exchange = async <T>(request: EgressStreamRequest, consume: (response: Received) => Promise<T>): Promise<T> => {
    request.signal?.throwIfAborted()
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), request.timeoutMs)
    const signal = request.signal === undefined ? timeout.signal : AbortSignal.any([request.signal, timeout.signal])
    // Each request has its own agents, so that its connections end with it and are not shared between callers.
    const agents = { own: createAgent(connectors.own), other: createAgent(connectors.other) }
    const destroyAgents = () => Promise.all([agents.own.destroy(), agents.other.destroy()])
    // In undici, the signal of a request aborts neither name resolution nor connecting.
    const destroyOnAbort = (): void => void destroyAgents()
    signal.addEventListener('abort', destroyOnAbort, { once: true })
    try {
      return await consume(await requestWithRedirects((url) => selectAgent(agents, options, url), request, signal))
    } catch (error) {
      request.signal?.throwIfAborted()
      if (error instanceof BodyReaderError) throw error.cause
      throw timeout.signal.aborted ? new EgressError('time') : toEgressError(error)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', destroyOnAbort)
      await destroyAgents()
    }
  }
  return {
    send: (request) =>
      exchange(request, async ({ status, headers, url, body, codings }) => ({
        status,
        headers,
        url,
        ...(await readBody(body, codings, request.maxBytes)),
      })),
    receive: (request, consume) =>
      exchange(request, async ({ status, headers, url, body, codings }) => {
        let failure: { error: unknown } | undefined
        const readDecoded = async function* (): AsyncGenerator<Uint8Array> {
          try {
            for await (const chunk of decodeBody(body, codings) as AsyncIterable<Buffer>) yield chunk
          } catch (error) {
            failure = { error }
            throw error
          }
        }
        try {
          return await consume({ status, headers, url, body: readDecoded() })
        } catch (error) {
          throw failure === undefined ? new BodyReaderError(error) : failure.error
        }
      }),
  }
}

/** Wraps an error thrown by `consume`, so that it is not mapped to an `EgressError`. */
class BodyReaderError extends Error {
  constructor(cause: unknown) {
    super('the body reader failed', { cause })
  }
}

type Received = {
  status: number
  headers: Record<string, string | string[] | undefined>
  url: string
  body: Dispatcher.ResponseData['body']
  codings: string
}

function createAgent(connect: ReturnType<typeof buildConnector>): Agent {
  return new Agent({ connect, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 })
}

async function requestWithRedirects(
  chooseAgent: (url: URL) => Agent,
  request: EgressStreamRequest,
  signal: AbortSignal,
): Promise<Received> {
  let hop = firstHop(request)
  for (let followed = 0; ; followed++) {
    const { url, method, headers, body } = hop
    if (request.secureOnly === true && (url.protocol !== 'https:' || url.port !== '')) throw new EgressError('secure')
    const {
      statusCode,
      headers: received,
      body: receivedBody,
    } = await chooseAgent(url).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body: body ?? null,
      signal,
    })
    const next = nextHop(hop, statusCode, firstValue(received['location']))
    if (next === undefined) {
      const codings = [received['content-encoding'] ?? ''].flat().join(',')
      return { status: statusCode, headers: received, url: url.href, body: receivedBody, codings }
    }
    receivedBody.on('error', () => {}).destroy()
    if (followed === (request.maxRedirects ?? 5)) throw new EgressError('redirects')
    hop = next
  }
}

function firstValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

function selectAgent({ own, other }: Agents, { own: platform }: EgressOptions, url: URL): Agent {
  const path = platform && relativePath(url, platform.baseUrl)
  if (platform === undefined || path === undefined) return other
  if (!platform.isOpen(path)) throw new EgressError('closed')
  return own
}

/** Maps errors of the HTTP library to fixed messages, because the original messages contain addresses and internals. */
function toEgressError(error: unknown): EgressError {
  const all = error instanceof AggregateError ? [error, ...(error.errors as unknown[])] : [error]
  const egressError = all.find((candidate) => candidate instanceof EgressError)
  if (egressError !== undefined) return egressError
  const codes = all.map(readErrorCode)
  if (codes.some((code) => nameErrorCodes.has(code))) return new EgressError('name', { cause: error })
  if (codes.some((code) => requestErrorCodes.has(code))) return new EgressError('request', { cause: error })
  if (codes.some((code) => /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/.test(code)))
    return new EgressError('certificate', { cause: error })
  if (error instanceof errors.HTTPParserError || codes.some((code) => responseErrorCodes.test(code)))
    return new EgressError('response', { cause: error })
  return new EgressError('connection', { cause: error })
}

function readErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
