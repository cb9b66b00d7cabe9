import type { Middleware, Context } from 'koa'
import { Fault, parameterFault } from '../../domain/site/faults.ts'
import { ReadInput, SearchInput, type PublicContent } from '../../domain/site/public-content.ts'
import { runTool } from '../../domain/site/tools/index.ts'
import { requestIdOf } from '../http/answers/headers.ts'
import { siteLinks } from './links.ts'
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
const unavailableSeconds = '5'

export type ToolRoutes = { content: PublicContent; count: (request: Context['req']) => void }

/** The anonymous tools of the public site. Asks nobody else for anything: they answer while all else is down. */
export function createToolRoutes({ content, count }: ToolRoutes): Middleware {
  const answer = async (ctx: Context): Promise<object> => {
    const allow = Object.hasOwn(allowed, ctx.path) ? allowed[ctx.path] : undefined
    if (allow === undefined) throw new Fault('NOT_FOUND')
    if (!allow.split(', ').includes(ctx.method)) throw new Fault('METHOD_NOT_ALLOWED', [], undefined, { allow })
    count(ctx.req)
    if (ctx.path.endsWith('/search'))
      return content.search(parametersOf(ctx.querystring, ['limit'], Object.keys(SearchInput.shape)))
    if (ctx.path.endsWith('/read'))
      return content.read(parametersOf(ctx.querystring, ['offset', 'maxLength'], Object.keys(ReadInput.shape)))
    return runTool(content, await readToolBody(ctx.req))
  }

  return async (ctx, next) => {
    if (ctx.path !== prefix && !ctx.path.startsWith(`${prefix}/`)) {
      await next()
      return
    }
    ctx.respond = false
    const requestId = { 'x-request-id': requestIdOf(ctx.req.headers['x-request-id'] as string | undefined) }
    if (ctx.method === 'OPTIONS' && Object.hasOwn(allowed, ctx.path)) {
      ctx.res.writeHead(204, { ...headers, ...requestId, 'access-control-max-age': '86400' })
      ctx.res.end()
      return
    }
    try {
      const body = await answer(ctx)
      const isVersioned = 'results' in body || 'markdown' in body
      write(ctx, 200, body, { ...requestId, ...(isVersioned ? { 'x-content-version': content.contentVersion } : {}) })
    } catch (error) {
      const fault =
        error instanceof Fault ? error : new Fault('UNAVAILABLE', [], undefined, { 'retry-after': unavailableSeconds })
      write(ctx, fault.status, fault.body, { ...requestId, ...fault.headers })
    }
  }
}

/** Known parameters once each, as a tool call has them: whole numbers in digits. */
function parametersOf(querystring: string, numbers: readonly string[], known: readonly string[]): object {
  const found = new Map<string, string | number>()
  for (const [name, value] of new URLSearchParams(querystring)) {
    const isWrong = !known.includes(name) || found.has(name) || (numbers.includes(name) && !/^[0-9]+$/.test(value))
    if (isWrong) throw parameterFault(name)
    found.set(name, numbers.includes(name) ? Number(value) : value)
  }
  return Object.fromEntries(found)
}

function write(ctx: Context, status: number, body: object, own: Readonly<Record<string, string>>): void {
  const payload = JSON.stringify(body)
  const length = String(Buffer.byteLength(payload))
  ctx.res.writeHead(status, { ...headers, ...own, 'content-type': 'application/json', 'content-length': length })
  ctx.res.end(ctx.method === 'HEAD' ? undefined : payload)
}
