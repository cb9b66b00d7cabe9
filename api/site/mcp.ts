import type { IncomingMessage } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { Context, Middleware } from 'koa'
import { mcpPath } from '../../domain/site/discovery/about.ts'
import { mcpIdentity, mcpInstructions } from '../../domain/site/discovery/server-card.ts'
import { listMcpTools } from '../../domain/site/discovery/tool-list.ts'
import { Fault } from '../../domain/site/faults.ts'
import type { PublicContent } from '../../domain/site/public-content.ts'
import { runTool } from '../../domain/site/tools/index.ts'
import { parseUrl } from '../../domain/fields/url.ts'
import { requestIdOf } from '../http/answers/headers.ts'
import { isJson, receiveBody } from './body.ts'

const maxBytes = 32_768
const allow = 'POST, OPTIONS'
const headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': allow,
  'access-control-allow-headers': 'Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-Request-Id',
  'access-control-expose-headers': 'Retry-After, X-Request-Id',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}
const tools = listMcpTools()
const cacheHints = {
  'tools/list': { ttlMs: 3_600_000, cacheScope: 'public' as const },
  'server/discover': { ttlMs: 3_600_000, cacheScope: 'public' as const },
}

/** A request that is refused before the protocol has it. */
type Refusal = { status: number; message: string; headers?: Readonly<Record<string, string>> }

const tooLarge: Refusal = {
  status: 413,
  message: `Send at most ${maxBytes} bytes.`,
  headers: { connection: 'close' },
}

export type McpOptions = {
  content: PublicContent
  /** Throws the fault of a request too many. */
  count: (request: IncomingMessage) => void
  /** Host names that requests may be to: others are pages that make a browser call a machine of its own network. */
  hosts: ReadonlySet<string>
  onError: (error: unknown) => void
}

/** The five tools for MCP clients of every revision, without sessions. Reads no credential. */
export function createMcpEndpoint({ content, count, hosts, onError }: McpOptions): Middleware {
  const handler = createMcpHandler(() => serverOf(content, onError), {
    // Nothing changes while a process runs: nobody has to wait for that.
    maxSubscriptions: 0,
    onerror: onError,
  })
  const serve = toNodeHandler(handler, { onerror: onError })

  const refusalOf = ({ req, method }: Context): Refusal | undefined => {
    const { host = '', origin } = req.headers
    if (method !== 'POST') return { status: 405, message: 'Method not allowed', headers: { allow } }
    if (!hosts.has(parseUrl(`http://${host}`)?.hostname ?? '')) return { status: 403, message: 'Unknown host' }
    if (origin !== undefined && !isWebOrigin(origin)) return { status: 403, message: 'Unknown origin' }
    try {
      count(req)
    } catch (error) {
      if (error instanceof Fault) return { status: error.status, message: error.message, headers: error.headers }
      throw error
    }
    return isJson(req.headers) ? undefined : { status: 415, message: 'Send the body as application/json.' }
  }

  return async (ctx, next) => {
    if (ctx.path !== mcpPath) {
      await next()
      return
    }
    ctx.respond = false
    const { req, res } = ctx
    const own = { ...headers, 'x-request-id': requestIdOf(req.headers['x-request-id'] as string | undefined) }
    if (ctx.method === 'OPTIONS') {
      res.writeHead(204, { ...own, 'access-control-max-age': '86400' }).end()
      return
    }
    const refused = refusalOf(ctx)
    const bytes = refused === undefined ? await receiveBody(req, maxBytes) : undefined
    if (bytes === undefined) {
      const { status, message, headers: more } = refused ?? tooLarge
      res.writeHead(status, { ...own, 'content-type': 'application/json', ...more })
      res.end(JSON.stringify(rpcError(message)))
      return
    }
    for (const [name, value] of Object.entries(own)) res.setHeader(name, value)
    await serve(received(req, bytes), res)
  }
}

/** Holds nothing between requests: one is made for each. */
function serverOf(content: PublicContent, onError: (error: unknown) => void): Server {
  const server = new Server(mcpIdentity, {
    capabilities: { tools: { listChanged: false } },
    instructions: mcpInstructions,
    cacheHints,
  })
  server.setRequestHandler('tools/list', () => ({ tools }))
  server.setRequestHandler('tools/call', ({ params: { name, arguments: input = {} } }) => {
    if (!tools.some((tool) => tool.name === name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Choose one of the five tool names.')
    try {
      const result = runTool(content, { name, arguments: input })
      return { content: [textOf(result)], structuredContent: { ...result } }
    } catch (error) {
      if (!(error instanceof Fault)) onError(error)
      const { body } = error instanceof Fault ? error : new Fault('UNAVAILABLE')
      return { isError: true, content: [textOf(body)] }
    }
  })
  return server
}

/** A request whose body is here. */
function received({ method = 'POST', url = mcpPath, headers: sent }: IncomingMessage, bytes: Buffer) {
  return {
    method,
    url,
    headers: sent,
    async *[Symbol.asyncIterator]() {
      yield bytes
    },
  }
}

function textOf(value: object) {
  return { type: 'text' as const, text: JSON.stringify(value) }
}

function rpcError(message: string): object {
  return { jsonrpc: '2.0', id: null, error: { code: ProtocolErrorCode.InvalidRequest, message } }
}

function isWebOrigin(text: string): boolean {
  return /^https?:\/\/[^/?#@\s]+$/i.test(text) && parseUrl(text) !== undefined
}
