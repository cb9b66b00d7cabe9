import type { Context, Middleware } from 'koa'
import { personOrigin } from '../../domain/runs/origin.ts'
import { isOpenToRuns } from '../../domain/runs/paths.ts'
import { refuseEphemeral } from '../access/access.ts'
import { isAudited, type AuditedCall } from '../access/audit.ts'
import { createAuthenticator, refuseRepeatedCredentials } from '../access/auth.ts'
import type { ApiDeps } from '../deps.ts'
import { createEmbeddedGuard } from '../embedded/guard.ts'
import { ApiError } from './errors.ts'
import { toApiError, unavailable } from './failures.ts'
import {
  answerHeaders,
  preflightHeaders,
  type HeaderRecord,
  type RateState,
  type RequestHeaders,
} from './answers/headers.ts'
import { createIdempotency } from './idempotency.ts'
import { createIntake } from './body/intake.ts'
import { parseBody } from './body/json.ts'
import type { TakeBody } from './body/reader.ts'
import { isOverTime } from './answers/live.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { createNetworkAddress } from './limits/network-address.ts'
import { createOverloadGate, type RequestSlot } from './limits/overload.ts'
import { createRates } from './limits/rates.ts'
import { createStreamPlaces } from './limits/stream-places.ts'
import { renderError } from './answers/render.ts'
import { withOwnRefusal, readFields } from './request-fields.ts'
import { RouteRequest } from './route-request.ts'
import { createRouteFinder, type Match } from './router.ts'
import type { SiteRecord } from '../site/record.ts'
import { isEventStream, type Caller, type Route, type StoredAnswer } from './route.ts'
import { send } from './answers/send.ts'
import type { Connections } from './limits/connections.ts'
import { callerName, type Holder } from './limits/shares.ts'
import { validate } from './validate.ts'

/** Data of a request for later middleware and the log. */
export type RequestState = {
  requestId: string
  route?: Route
  /** True for a path of the embedded stack, with any method. */
  embedded?: boolean
  accountId?: string
  rate?: RateState
  audited?: AuditedCall
  /** Set for a request to the public site. */
  site?: SiteRecord
}

type Exchange = Context & { state: RequestState }
type Matched = { ctx: Exchange; route: Route; pathParams: Record<string, string>; place: RequestSlot | undefined }

/** Rate classes of requests without a caller. */
const countedByAddress = new Set<Route['rate']>(['signup', 'checkouts', 'anonymous'])
const laterStatuses = new Set([429, 503, 504])
const anonymous: Caller = { accountId: '', via: 'key', ephemeral: false, origin: personOrigin('web') }
const emptyBody = { bytes: Buffer.alloc(0), value: {} }

type DispatchOptions = { metrics: Metrics; connections?: Connections | undefined }

/** Runs the checks of every request in their documented order. The first failure is the response. */
export function createDispatch(
  deps: ApiDeps,
  routes: readonly Route[],
  { metrics, connections }: DispatchOptions,
): Middleware<RequestState> {
  const findRoute = createRouteFinder(routes)
  const authenticate = createAuthenticator(deps)
  const rates = createRates(deps)
  const readNetworkAddress = createNetworkAddress(deps.config.trustedProxies)
  const guardEmbedded = createEmbeddedGuard(deps.config)
  const runOnce = createIdempotency(deps)
  const eventStreams = new Set(routes.filter(isEventStream))
  const gate = createOverloadGate(deps.config, metrics, () => deps.ready)
  const inStreamPlace = createStreamPlaces({ gate, rates, metrics })
  const intake = createIntake<Exchange>(deps.config, metrics, (ctx, error) => fail(ctx, error))

  /** Routes without a rate class take no place. */
  const readHolder = ({ ctx, place }: Matched): Holder => place?.holder ?? unknownHolder(ctx)

  const unknownHolder = ({ req }: Exchange): Holder => {
    const address = readNetworkAddress(req)
    return { who: `unknown from ${address}`, address }
  }

  const checkAccess = async ({ ctx, route }: Matched, request: RouteRequest): Promise<void> => {
    const { caller } = request
    if (typeof route.widensAccess === 'function' && route.widensAccess(request)) refuseEphemeral(caller)
    const workFor = await route.authorize?.(request)
    if (route.rate === 'work') await rates.countWork(workFor ?? caller.accountId, ctx.state)
    // Authenticated by a signature instead of a credential.
    else if (route.auth === 'none' && typeof workFor === 'string')
      await rates.countRequest(route.rate, workFor, ctx.state)
  }

  const takeBody = async ({ ctx, route, place }: Matched, take: TakeBody) => {
    if (route.method === 'GET') return emptyBody
    if (route.streamedBody !== undefined) {
      intake.stream(ctx, place)
      return emptyBody
    }
    try {
      const bytes = await take({ limit: route.bodyLimit, mayBeEmpty: true }).whole()
      return bytes.length === 0 ? emptyBody : { bytes, value: parseBody(bytes) }
    } catch (error) {
      throw withOwnRefusal(route, error)
    }
  }

  const checkAndHandle = async (matched: Matched, caller: Caller): Promise<StoredAnswer> => {
    const { ctx, route, pathParams, place } = matched
    const params = route.params && validate(route.params, pathParams, 'params')
    const take = intake.reader(ctx, place, route.streamedBody ?? 'application/json')
    const sent = await takeBody(matched, take)
    const checked = async (): Promise<RouteRequest> => {
      const { body, query } = readFields(route, ctx.querystring, sent.value)
      const request = new RouteRequest(
        ctx,
        { caller, holder: readHolder(matched) },
        { params, body, query, takeBody: take },
      )
      await checkAccess(matched, request)
      return request
    }
    const isKeyFirst = route.idempotent === 'before-fields'
    const early = isKeyFirst ? undefined : await checked()
    const { accountId } = caller
    // Idempotency keys belong to a caller, so anonymous requests have none.
    const key =
      route.idempotent !== undefined && accountId !== ''
        ? (ctx.headers as RequestHeaders)['idempotency-key']
        : undefined
    if (key === undefined) return route.handle(early ?? (await checked()))
    const { method, path, querystring: query } = ctx
    const { bytes } = sent
    const badKey = isKeyFirst ? [] : ['Idempotency-Key']
    const keyed = { accountId, route: `${route.method} ${route.path}`, key, badKey, method, path, query, bytes }
    const { replayed, answer } = await runOnce(keyed, async (idempotency) => {
      const request = early ?? (await checked())
      request.idempotency = idempotency
      return route.handle(request)
    })
    if (!replayed) return answer
    const again = route.replay === undefined ? answer : await route.replay(answer, early ?? (await checked()))
    return { ...again, headers: { ...again.headers, 'idempotency-replayed': 'true' } }
  }

  /**
   * Account or address that a request without required credentials counts for: the owner of a key that it carries
   * anyway, as every request from a sandbox does.
   */
  const ownerOfOpenRequest = async ({ req, path }: Exchange): Promise<string> => {
    const { 'x-api-key': key } = req.headers as RequestHeaders
    const sender =
      key === undefined
        ? undefined
        : await authenticate({ 'x-api-key': key }, 'key', readNetworkAddress(req)).catch(() => undefined)
    // Some sandbox networks add the key without knowing which paths are closed to runs.
    if (sender !== undefined && !isOpenToRuns(path)) refuseEphemeral(sender)
    return sender === undefined ? `address ${readNetworkAddress(req)}` : callerName(sender)
  }

  const identify = async ({ ctx, route, pathParams, place }: Matched): Promise<Caller> => {
    refuseRepeatedCredentials(ctx.req, route.auth)
    const open = isOpen(route, ctx.headers as RequestHeaders)
    const known = open
      ? anonymous
      : await authenticate(ctx.headers as RequestHeaders, route.auth, readNetworkAddress(ctx.req))
    if (!open) ctx.state.accountId = known.accountId
    if (!open) {
      place?.countFor(callerName(known))
      connections?.countFor(ctx.req.socket, callerName(known))
    } else if (place !== undefined || !isOpenToRuns(ctx.path)) {
      const holder = await ownerOfOpenRequest(ctx)
      place?.countFor(holder)
    }
    if (open && countedByAddress.has(route.rate))
      await rates.countRequest(route.rate, readNetworkAddress(ctx.req), ctx.state)
    else if (!open && route.rate !== 'none') await rates.countRequest(route.rate, known.accountId, ctx.state)
    const caller: Caller = { ...known, record: {}, ...(route.sharedReads === true && { sharedReads: true }) }
    if (isAudited(route, open)) ctx.state.audited = { caller, route, pathParams, requestId: ctx.state.requestId }
    return caller
  }

  const run = async (matched: Matched) => {
    const { ctx, route } = matched
    const caller = await identify(matched)
    if (route.widensAccess === true) refuseEphemeral(caller)
    const answering = async (): Promise<StoredAnswer> => {
      const answer = await checkAndHandle(matched, caller)
      if (isOverTime(answer.body) && caller.accountId !== '') deps.openResponses.add(ctx.res, caller)
      return answer
    }
    if (!eventStreams.has(route)) return answering()
    const stream = { res: ctx.res, holder: readHolder(matched), accountId: caller.accountId }
    return inStreamPlace(stream, answering)
  }

  /** Health and metrics of the process are served under any load. */
  const runAdmitted = async (ctx: Exchange, route: Route, pathParams: Record<string, string>) => {
    if (route.embedded === true) guardEmbedded(ctx.req)
    if (route.rate === 'none') return run({ ctx, route, pathParams, place: undefined })
    const onLate = (): void => fail(ctx, unavailable(new Error('not answered in time')))
    const place = gate.enter(unknownHolder(ctx), route.waitMs ?? 0, onLate)
    try {
      return await run({ ctx, route, pathParams, place })
    } finally {
      place.leave()
    }
  }

  const fail = (ctx: Exchange, thrown: unknown): void => {
    const { route, requestId, rate, embedded } = ctx.state
    const error = toApiError(thrown)
    // An overload error has no cause. It is already counted and logged as a request, so that a flood of them adds no
    // second line each.
    if (error.status >= 500 && (error.code !== 'unavailable' || error.cause !== undefined))
      deps.log.error({ err: error.cause ?? error, requestId, route: route?.path, status: error.status }, error.message)
    // The request timed out and already has a response.
    if (ctx.res.headersSent) return
    const headers = { ...defaultHeaders(error.status), ...error.headers }
    const rendered = renderError(route?.envelope ?? 'e2', error, requestId)
    const body = error.status === 400 ? { ...rendered, ...route?.refusalMembers } : rendered
    send(ctx.res, answerHeaders(requestId, rate, headers, embedded), { status: error.status, headers, body })
  }

  const isEmbedded = (match: Match, url: string): boolean => {
    if (match.found) return match.route.embedded === true
    const other = match.allow[0] === undefined ? match : findRoute(match.allow[0], url)
    return other.found && other.route.embedded === true
  }

  const answerPreflight = ({ headers, url, res, state: { requestId } }: Exchange): void => {
    const match = findRoute(headers['access-control-request-method'] ?? '', url)
    const embedded = isEmbedded(match, url)
    const own = embedded ? {} : preflightHeaders(match.found ? match.route.allowHeaders : undefined)
    send(res, answerHeaders(requestId, undefined, own, embedded), { status: 204 })
  }

  return async (ctx) => {
    ctx.respond = false
    const { state } = ctx
    if (ctx.method === 'OPTIONS') {
      answerPreflight(ctx)
      return intake.answered(ctx)
    }
    try {
      const match = findRoute(ctx.method, ctx.url)
      state.embedded = isEmbedded(match, ctx.url)
      if (!match.found) {
        if (match.allow.length === 0) throw new ApiError('not_found', 'Not found')
        throw new ApiError('method_not_allowed', 'Method not allowed', { headers: { allow: match.allow.join(', ') } })
      }
      state.route = match.route
      const answer = await runAdmitted(ctx, match.route, match.params)
      if (ctx.res.headersSent) {
        if (isOverTime(answer.body)) answer.body.destroy()
        return
      }
      const headers = answerHeaders(state.requestId, state.rate, answer.headers, state.embedded)
      send(ctx.res, headers, answer, match.route.responses[answer.status])
    } catch (error) {
      fail(ctx, error)
    } finally {
      intake.answered(ctx)
      if (state.audited !== undefined) deps.audit.record(state.audited, ctx.res.statusCode)
    }
  }
}

/** True when no credential is needed: the route allows that, or the request carries a signature instead. */
function isOpen({ auth, signedBy }: Route, headers: RequestHeaders): boolean {
  return (
    auth === 'none' ||
    ((auth === 'optional' || (signedBy !== undefined && headers[signedBy] !== undefined)) &&
      headers['x-api-key'] === undefined &&
      headers.authorization === undefined)
  )
}

/** Default headers of errors with a status. A header of the error itself takes precedence. */
function defaultHeaders(status: number): HeaderRecord {
  if (status === 401)
    return { 'www-authenticate': 'Bearer realm="Backline", ApiKey realm="Backline" header="x-api-key"' }
  return laterStatuses.has(status) ? { 'retry-after': '1' } : {}
}
