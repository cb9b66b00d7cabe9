import type { Context } from 'koa'
import { SiteError, parameterFault, unavailable } from '../../domain/site/faults.ts'
import { ReadInput, SearchInput, type PublicContent } from '../../domain/site/public-content.ts'
import { runTool, readToolName } from '../../domain/site/tools/index.ts'
import type { Admit } from './limits/admission.ts'
import { siteLinks } from './links.ts'
import { packOnce } from './packed.ts'
import { recordResult, type SiteMiddleware, type SiteRecord } from './record.ts'
import { readToolBody } from './tool-body.ts'

const prefix = '/agent-api'
const allowed: Readonly<Record<string, string>> = {
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

/** Serves the anonymous tools of the public site. They call no other service and therefore work during outages. */
export function createToolRoutes({ content, admit, onError }: ToolRoutes): SiteMiddleware {
  const answer = async (ctx: Context, record: SiteRecord): Promise<object> => {
    const allow = Object.hasOwn(allowed, ctx.path) ? allowed[ctx.path] : undefined
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
    const isKnown = Object.hasOwn(allowed, ctx.path)
    const record: SiteRecord = { route: isKnown ? ctx.path : 'none' }
    ctx.state.site = record
    const requestId = { 'x-request-id': ctx.state.requestId }
    if (ctx.method === 'OPTIONS' && isKnown) {
      ctx.res.writeHead(204, { ...headers, ...requestId, 'access-control-max-age': '86400' })
      ctx.res.end()
      return
    }
    try {
      const body = await answer(ctx, record)
      const isVersioned = 'results' in body || 'markdown' in body
      recordResult(record, body)
      write(ctx, 200, body, { ...requestId, ...(isVersioned ? { 'x-content-version': content.contentVersion } : {}) })
    } catch (error) {
      if (!(error instanceof SiteError)) onError(error, ctx.state.requestId)
      const fault = error instanceof SiteError ? error : unavailable()
      record.code = fault.code
      write(ctx, fault.status, fault.body, { ...requestId, ...fault.headers })
    }
  }
}

/** Parses known parameters, each at most once, in the form of a tool call: whole numbers as digits. */
function parseParameters(querystring: string, numbers: readonly string[], known: readonly string[]): object {
  const found = new Map<string, string | number>()
  for (const [name, value] of new URLSearchParams(querystring)) {
    const isWrong = !known.includes(name) || found.has(name) || (numbers.includes(name) && !/^[0-9]+$/.test(value))
    if (isWrong) throw parameterFault(name)
    found.set(name, numbers.includes(name) ? Number(value) : value)
  }
  return Object.fromEntries(found)
}

function write(ctx: Context, status: number, body: object, own: Readonly<Record<string, string>>): void {
  const packed = packOnce(ctx, JSON.stringify(body))
  ctx.res.writeHead(status, { ...headers, ...own, 'content-type': 'application/json', ...packed.headers })
  ctx.res.end(ctx.method === 'HEAD' ? undefined : packed.body)
}
