import { finished, Readable } from 'node:stream'
import type { Context, Middleware } from 'koa'
import { createAuthenticator } from './auth.ts'
import { readBody } from './body.ts'
import type { ApiDeps } from './deps.ts'
import { ApiError } from './errors.ts'
import { toApiError } from './failures.ts'
import { answerHeaders, preflightHeaders } from './headers.ts'
import type { HeaderRecord, RateState, RequestHeaders } from './headers.ts'
import { createIdempotency, noIdempotency } from './idempotency.ts'
import type { Metrics } from './metrics.ts'
import { createRates } from './rates.ts'
import { renderError } from './render.ts'
import { createRouteFinder } from './router.ts'
import type { Caller, Request, Route, StoredAnswer } from './route.ts'
import { send } from './send.ts'
import { parseQuery, validate } from './validate.ts'

/** What later middleware and the log know of a request. */
export type RequestState = { requestId: string; route?: Route; accountId?: string; rate?: RateState }

type Exchange = Context & { state: RequestState }

const laterStatuses = new Set([429, 503, 504])
const nobody: Caller = { accountId: '', via: 'key', ephemeral: false }
const emptyBody = { bytes: Buffer.alloc(0), value: {} }

const isEventStream = (route: Route): boolean =>
  Object.values(route.responses).some((response) => 'streamed' in response && response.streamed === 'text/event-stream')

/** Aborts when the connection closes before the answer is out. */
const closedSignal = ({ res }: Exchange): AbortSignal => {
  const controller = new AbortController()
  if (res.destroyed) controller.abort()
  else res.once('close', () => controller.abort())
  return controller.signal
}

class RouteRequest implements Request<unknown, unknown, unknown> {
  readonly #ctx: Exchange
  #closed: AbortSignal | undefined
  readonly caller: Caller
  readonly params: unknown
  readonly body: unknown
  readonly query: unknown
  readonly headers: RequestHeaders
  readonly requestId: string
  idempotency = noIdempotency

  constructor(ctx: Exchange, caller: Caller, params: unknown, body: unknown, query: unknown) {
    this.#ctx = ctx
    this.caller = caller
    this.params = params
    this.body = body
    this.query = query
    this.headers = ctx.headers as RequestHeaders
    this.requestId = ctx.state.requestId
  }

  get closed(): AbortSignal {
    return (this.#closed ??= closedSignal(this.#ctx))
  }
}

// An answer that says `later` says when; its own header replaces this one.
const retryHeaders = (status: number): HeaderRecord => (laterStatuses.has(status) ? { 'retry-after': '1' } : {})

/** Takes every request through the contract's order of checks; the first failure answers. */
export const createDispatch = (deps: ApiDeps, routes: readonly Route[], metrics: Metrics): Middleware<RequestState> => {
  const findRoute = createRouteFinder(routes)
  const authenticate = createAuthenticator(deps)
  const rates = createRates(deps.config)
  const runOnce = createIdempotency(deps)
  const eventStreams = new Set(routes.filter(isEventStream))

  const handle = async (ctx: Exchange, route: Route, request: RouteRequest, bytes: Buffer) => {
    const key = route.idempotent === true ? request.headers['idempotency-key'] : undefined
    if (key === undefined) return route.handle(request)
    const { accountId } = request.caller
    const { method, path, querystring: query } = ctx
    const keyed = { accountId, route: `${route.method} ${route.path}`, key, method, path, query, bytes }
    const { replayed, answer } = await runOnce(keyed, (idempotency) => {
      request.idempotency = idempotency
      return route.handle(request)
    })
    if (!replayed) return answer
    const again = route.replay === undefined ? answer : await route.replay(answer, request)
    return { ...again, headers: { ...again.headers, 'idempotency-replayed': 'true' } }
  }

  const checkAndHandle = async (ctx: Exchange, route: Route, caller: Caller, pathParams: Record<string, string>) => {
    const params = route.params && validate(route.params, pathParams, 'params')
    const sent = route.method === 'GET' ? emptyBody : await readBody(ctx.req, route.bodyLimit)
    const body = route.body && validate(route.body, sent.value, 'body')
    const query = route.query && validate(route.query, parseQuery(ctx.querystring), 'query')
    const request = new RouteRequest(ctx, caller, params, body, query)
    await route.authorize?.(request)
    return handle(ctx, route, request, sent.bytes)
  }

  /** Keeps a place among the account's open streams until the answer is over. */
  const withStreamPlace = async (ctx: Exchange, accountId: string, answering: () => Promise<StoredAnswer>) => {
    const giveBack = rates.openStream(accountId)
    let streams = false
    try {
      const answer = await answering()
      streams = answer.body instanceof Readable
      if (streams) {
        metrics.openStreams.inc()
        finished(ctx.res, () => {
          metrics.openStreams.dec()
          giveBack()
        })
      }
      return answer
    } finally {
      if (!streams) giveBack()
    }
  }

  const run = async (ctx: Exchange, route: Route, params: Record<string, string>) => {
    if (route.auth === 'none') return checkAndHandle(ctx, route, nobody, params)
    const caller = await authenticate(ctx.headers as RequestHeaders, route.auth)
    ctx.state.accountId = caller.accountId
    if (route.rate !== 'none') await rates.countRequest(route.rate, caller.accountId, ctx.state)
    const answering = () => checkAndHandle(ctx, route, caller, params)
    return eventStreams.has(route) ? withStreamPlace(ctx, caller.accountId, answering) : answering()
  }

  const fail = (ctx: Exchange, thrown: unknown): void => {
    const { route, requestId, rate } = ctx.state
    const error = toApiError(thrown)
    if (error.status >= 500)
      deps.log.error({ err: error.cause ?? error, requestId, route: route?.path, status: error.status }, error.message)
    const body = renderError(route?.envelope ?? 'e2', error, requestId)
    send(ctx.res, answerHeaders(requestId, rate, { ...retryHeaders(error.status), ...error.headers }), {
      status: error.status,
      body,
    })
  }

  return async (ctx) => {
    ctx.respond = false
    const { state } = ctx
    if (ctx.method === 'OPTIONS')
      return send(ctx.res, answerHeaders(state.requestId, undefined, preflightHeaders), { status: 204 })
    try {
      const match = findRoute(ctx.method, ctx.url)
      if (!match.found) {
        if (match.allow.length === 0) throw new ApiError('not_found', 'Not found')
        throw new ApiError('method_not_allowed', 'Method not allowed', { headers: { allow: match.allow.join(', ') } })
      }
      state.route = match.route
      const answer = await run(ctx, match.route, match.params)
      const headers = answerHeaders(state.requestId, state.rate, answer.headers)
      send(ctx.res, headers, answer, match.route.responses[answer.status])
    } catch (error) {
      fail(ctx, error)
    }
  }
}
