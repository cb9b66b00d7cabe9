import type { Context } from 'koa'
import type { IncomingMessage } from 'node:http'
import { SiteError, createParameterError, unavailable } from '../../domain/site/errors.ts'
import { ReadInput, SearchInput, type PublicContent } from '../../domain/site/public-content.ts'
import { runTool, readToolName } from '../../domain/site/tools/index.ts'
import type { Admit } from './limits/admission.ts'
import { siteLinks } from './links.ts'
import { compressForClient } from './compression.ts'
import { recordResult, type SiteMiddleware, type SiteRecord } from '../monitoring/site-record.ts'
import { isJson, receiveBody } from './limits/body.ts'

const prefix = '/agent-api'
const allowedMethods: Readonly<Record<string, string>> = {
  '/agent-api/v1/search': 'GET, HEAD, OPTIONS',
  '/agent-api/v1/read': 'GET, HEAD, OPTIONS',
  '/agent-api/v1/tools': 'POST, OPTIONS',
}
const headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type, X-Request-Id',
  'access-control-expose-headers':
    'Link, Retry-After, X-Content-Version, X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  link: siteLinks,
}

type ToolRoutes = {
  content: PublicContent
  admit: Admit
  /** Receives unexpected errors, which responses do not contain. */
  onError: (error: unknown, requestId: string) => void
}

/** Serves the tools of the public site without authentication. They call no other service, so they work during outages. */
export function createToolRoutes({ content, admit, onError }: ToolRoutes): SiteMiddleware {
  const handleCall = async (ctx: Context, record: SiteRecord): Promise<object> => {
    const allow = Object.hasOwn(allowedMethods, ctx.path) ? allowedMethods[ctx.path] : undefined
    if (allow === undefined) throw new SiteError('NOT_FOUND')
    if (!allow.split(', ').includes(ctx.method)) throw new SiteError('METHOD_NOT_ALLOWED', [], undefined, { allow })
    admit(ctx.req)
    if (ctx.path.endsWith('/search')) {
      record.tool = 'search_service'
      return content.search(parseParameters(ctx.querystring, ['limit'], Object.keys(SearchInput.shape)))
    }
    if (ctx.path.endsWith('/read')) {
      record.tool = 'read_service_page'
      return content.read(parseParameters(ctx.querystring, ['offset', 'maxLength'], Object.keys(ReadInput.shape)))
    }
    const call = await readToolBody(ctx.req)
    const tool = readToolName(call)
    if (tool !== undefined) record.tool = tool
    return runTool(content, call)
  }

  return async (ctx, next) => {
    if (ctx.path !== prefix && !ctx.path.startsWith(`${prefix}/`)) {
      await next()
      return
    }
    ctx.respond = false
    const isKnown = Object.hasOwn(allowedMethods, ctx.path)
    const record: SiteRecord = { route: isKnown ? ctx.path : 'none' }
    ctx.state.site = record
    const requestId = { 'x-request-id': ctx.state.requestId }
    if (ctx.method === 'OPTIONS' && isKnown) {
      ctx.res.writeHead(204, { ...headers, ...requestId, 'access-control-max-age': '86400' })
      ctx.res.end()
      return
    }
    try {
      const body = await handleCall(ctx, record)
      const isVersioned = 'results' in body || 'markdown' in body
      recordResult(record, body)
      write(ctx, 200, body, { ...requestId, ...(isVersioned ? { 'x-content-version': content.contentVersion } : {}) })
    } catch (error) {
      if (!(error instanceof SiteError)) onError(error, ctx.state.requestId)
      const siteError = error instanceof SiteError ? error : unavailable()
      record.code = siteError.code
      write(ctx, siteError.status, siteError.body, { ...requestId, ...siteError.headers })
    }
  }
}

/** Parses query parameters into a tool's input. Converts `numbers`. Throws for an unknown, repeated or invalid parameter. */
function parseParameters(querystring: string, numbers: readonly string[], names: readonly string[]): object {
  const values = new Map<string, string | number>()
  for (const [name, value] of new URLSearchParams(querystring)) {
    const isInvalid = !names.includes(name) || values.has(name) || (numbers.includes(name) && !/^[0-9]+$/.test(value))
    if (isInvalid) throw createParameterError(name)
    values.set(name, numbers.includes(name) ? Number(value) : value)
  }
  return Object.fromEntries(values)
}

function write(ctx: Context, status: number, body: object, ownHeaders: Readonly<Record<string, string>>): void {
  const compressed = compressForClient(ctx, JSON.stringify(body))
  ctx.res.writeHead(status, { ...headers, ...ownHeaders, 'content-type': 'application/json', ...compressed.headers })
  ctx.res.end(ctx.method === 'HEAD' ? undefined : compressed.body)
}

const maxBytes = 16_384
const utf8 = new TextDecoder('utf-8', { fatal: true })
const closeHeaders = { connection: 'close' }

/** Reads the JSON body of a tool call. Throws a `SiteError` if it is invalid or, without reading the rest, too large. */
async function readToolBody(request: IncomingMessage): Promise<unknown> {
  const { headers } = request
  const { 'content-encoding': coding = 'identity' } = headers
  if (!isJson(headers) || coding.toLowerCase() !== 'identity') throw new SiteError('UNSUPPORTED_MEDIA_TYPE')
  const bytes = await receiveBody(request, maxBytes)
  if (bytes === undefined) throw new SiteError('BODY_TOO_LARGE', [], undefined, closeHeaders)
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new SiteError('INVALID_JSON')
  }
}
