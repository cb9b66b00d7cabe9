import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'koa'
import type { NodeServerResponseLike } from '@modelcontextprotocol/node'
import { parseUrl } from '../../../domain/fields/url.ts'
import { mcpPath } from '../../../domain/site/discovery/about.ts'
import { SiteError, type SiteErrorCode } from '../../../domain/site/errors.ts'
import type { Admit } from '../limits/admission.ts'
import { isJson, receiveBody } from '../limits/body.ts'
import { compressForClient } from '../compression.ts'
import type { SiteMiddleware, SiteRecord } from '../../monitoring/site-record.ts'
import type { McpHandler } from './handler.ts'
import type { McpServerOptions } from './server.ts'
import { isLoopback } from '../../../domain/fields/hosts.ts'

const maxBytes = 32_768
const allow = 'POST, OPTIONS'
/** Error code of JSON-RPC for a request that the handler does not read. */
const invalidRequest = -32600
const headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': allow,
  'access-control-allow-headers': 'Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-Request-Id',
  'access-control-expose-headers': 'Retry-After, X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** Response to a request that is rejected before the MCP handler reads it. */
type Refusal = { status: number; message: string; headers?: Readonly<Record<string, string>>; code?: SiteErrorCode }

const tooLarge: Refusal = new SiteError('BODY_TOO_LARGE', [], `Send at most ${maxBytes} bytes.`, {
  connection: 'close',
})

type McpOptions = McpServerOptions & {
  admit: Admit
  /**
   * Allowed host names, in addition to loopback names. Requests with other names are rejected to prevent DNS rebinding.
   */
  hosts: ReadonlySet<string>
}

/** Serves the five tools to MCP clients of all protocol revisions, without sessions and without authentication. */
export function createMcpEndpoint({ content, admit, hosts, onError }: McpOptions): SiteMiddleware {
  let handler: McpHandler | undefined
  const loadHandler = async (): Promise<McpHandler> => {
    // Imported with the first request, because the schemas of the SDK would take 7 MB in each API process.
    const { createHandler } = await import('./handler.ts')
    return (handler ??= createHandler({ content, onError }))
  }

  const findRefusal = ({ req, method }: Context): Refusal | undefined => {
    const { host = '', origin } = req.headers
    if (method !== 'POST') return new SiteError('METHOD_NOT_ALLOWED', [], undefined, { allow })
    const hostname = parseUrl(`http://${host}`)?.hostname ?? ''
    if (!hosts.has(hostname) && !isLoopback(hostname)) return { status: 403, message: 'Unknown host' }
    if (origin !== undefined && !isWebOrigin(origin)) return { status: 403, message: 'Unknown origin' }
    try {
      admit(req)
    } catch (error) {
      if (error instanceof SiteError) return error
      throw error
    }
    return isJson(req.headers) ? undefined : new SiteError('UNSUPPORTED_MEDIA_TYPE')
  }

  return async (ctx, next) => {
    if (ctx.path !== mcpPath) {
      await next()
      return
    }
    ctx.respond = false
    const { req, res, state } = ctx
    const record: SiteRecord = { route: mcpPath }
    state.site = record
    const responseHeaders = { ...headers, 'x-request-id': state.requestId }
    if (ctx.method === 'OPTIONS') {
      res.writeHead(204, { ...responseHeaders, 'access-control-max-age': '86400' }).end()
      return
    }
    const refusal = findRefusal(ctx)
    const bytes = refusal === undefined ? await receiveBody(req, maxBytes) : undefined
    if (bytes === undefined) {
      const { status, message, headers: refusalHeaders, code } = refusal ?? tooLarge
      if (code !== undefined) record.code = code
      res.writeHead(status, { ...responseHeaders, 'content-type': 'application/json', ...refusalHeaders })
      res.end(JSON.stringify(rpcError(message)))
      return
    }
    const { sink, collected } = collectResponse(res)
    const handle = handler ?? (await loadHandler())
    await handle(record, toHandlerRequest(req, bytes), sink)
    const compressed = compressForClient(ctx, collected.body())
    res
      .writeHead(collected.status, { ...responseHeaders, ...collected.headers, ...compressed.headers })
      .end(compressed.body)
  }
}

/** Converts a request whose body has been read to the request type of the handler. */
function toHandlerRequest({ method = 'POST', url = mcpPath, headers: requestHeaders }: IncomingMessage, bytes: Buffer) {
  return {
    method,
    url,
    headers: requestHeaders,
    async *[Symbol.asyncIterator]() {
      yield bytes
    },
  }
}

function rpcError(message: string): object {
  return { jsonrpc: '2.0', id: null, error: { code: invalidRequest, message } }
}

function isWebOrigin(text: string): boolean {
  return /^https?:\/\/[^/?#@\s]+$/i.test(text) && parseUrl(text) !== undefined
}

/** A complete response in memory, whose length is known and which can be compressed. */
type CollectedResponse = { status: number; headers: Record<string, string>; body: () => Buffer }

/** Creates a `sink` that collects the output of a handler instead of sending it to the client of `response`. */
function collectResponse(response: ServerResponse): {
  sink: NodeServerResponseLike
  collected: CollectedResponse
} {
  const parts: Uint8Array[] = []
  const collected: CollectedResponse = { status: 200, headers: {}, body: () => Buffer.concat(parts) }
  const append = (chunk: string | Uint8Array): void => {
    parts.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  }
  const sink: NodeServerResponseLike = {
    writeHead: (status, headers = {}) => {
      collected.status = status
      collected.headers = headers
    },
    write: (chunk) => {
      append(chunk)
      return true
    },
    end: (chunk) => {
      if (chunk !== undefined) append(chunk)
    },
    on: (event, listener) => response.on(event, listener),
    get destroyed() {
      return response.destroyed
    },
  }
  return { sink, collected }
}
