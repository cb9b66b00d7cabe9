import type { Middleware } from 'koa'
import { isStreamedBody } from '../answers/live.ts'
import { createIntake } from '../body/intake.ts'
import { ApiError, notFound } from '../errors.ts'
import { unavailable } from '../failures.ts'
import { createClientAddressReader } from '../limits/network-address.ts'
import { createOverloadGate } from '../limits/overload.ts'
import { createRates } from '../limits/rates.ts'
import { createStreamSlots } from '../limits/stream-slots.ts'
import { isEventStream, type Caller, type Route, type StoredResponse, type Holder } from '../route.ts'
import { createRouteFinder, type Match } from '../router.ts'
import type { Exchange, MatchedRequest, RequestState } from './exchange.ts'
import { createHandle } from './handle.ts'
import { createIdentify } from './identify.ts'
import type { DispatchPorts } from './ports.ts'
import { createFail, respond, respondToPreflight } from './respond.ts'

/** Creates the middleware that runs the documented checks in order, then the handler. The first failed check responds. */
export function createDispatch(ports: DispatchPorts, routes: readonly Route[]): Middleware<RequestState> {
  const { config, meters, access } = ports
  const findMatch = createMatch(routes)
  const fail = createFail(ports.log)
  const rates = createRates(ports)
  const readNetworkAddress = createClientAddressReader(config.trustedProxies)
  const gate = createOverloadGate(config, ports)
  const withStreamSlot = createStreamSlots({ gate, rates, meters })
  const intake = createIntake<Exchange>(config, meters, fail)
  const identify = createIdentify({ ...ports, rates, readNetworkAddress })
  const eventStreams = new Set(routes.filter(isEventStream))

  const unknownHolder = ({ req }: Exchange): Holder => {
    const address = readNetworkAddress(req)
    return { callerKey: `unknown from ${address}`, address }
  }
  const readHolder = ({ ctx, slot }: MatchedRequest): Holder => slot?.holder ?? unknownHolder(ctx)
  const handle = createHandle({ ...ports, rates, intake, readHolder })

  const handleWatched = async (matched: MatchedRequest, caller: Caller): Promise<StoredResponse> => {
    const response = await handle(matched, caller)
    if (isStreamedBody(response.body) && caller.accountId !== '') ports.watchAccess(matched.ctx.res, caller)
    return response
  }

  const run = async (matched: MatchedRequest): Promise<StoredResponse> => {
    const { ctx, route } = matched
    const caller = await identify(matched)
    if (route.widensAccess === true) access.rejectEphemeral(caller)
    if (!eventStreams.has(route)) return handleWatched(matched, caller)
    const stream = { serverResponse: ctx.res, holder: readHolder(matched), accountId: caller.accountId }
    return withStreamSlot(stream, () => handleWatched(matched, caller))
  }

  /** Runs a request within the limits of the process. Health checks have no rate class and run under any load. */
  const runAdmitted = async (matched: Omit<MatchedRequest, 'slot'>): Promise<StoredResponse> => {
    const { ctx, route } = matched
    if (route.embedded === true) ports.guardEmbedded(ctx.req)
    if (route.rate === 'none') return run({ ...matched, slot: undefined })
    const onTimeout = (): void => fail(ctx, unavailable(new Error('the request timed out')))
    const slot = gate.enter(unknownHolder(ctx), route.waitMs ?? 0, onTimeout)
    try {
      return await run({ ...matched, slot })
    } finally {
      slot.leave()
    }
  }

  const dispatch = async (ctx: Exchange): Promise<void> => {
    const match = findMatch(ctx, ctx.method)
    if (!match.found) throw createMatchError(match.allow)
    const { route, params: pathParams } = match
    ctx.state.route = route
    respond(ctx, route, await runAdmitted({ ctx, route, pathParams }))
  }

  return async (ctx) => {
    ctx.respond = false
    if (ctx.method === 'OPTIONS') {
      const match = findMatch(ctx, ctx.get('access-control-request-method'))
      respondToPreflight(ctx, match.found ? match.route : undefined)
      return intake.onResponseWritten(ctx)
    }
    try {
      await dispatch(ctx)
    } catch (error) {
      fail(ctx, error)
    } finally {
      intake.onResponseWritten(ctx)
      if (ctx.state.audited !== undefined) ports.recordCall(ctx.state.audited, ctx.res.statusCode)
    }
  }
}

/** Returns the step that finds the route of a request, and records whether its path belongs to the embedded stack. */
function createMatch(routes: readonly Route[]) {
  const findRoute = createRouteFinder(routes)
  return ({ url, state }: Exchange, method: string): Match => {
    const match = findRoute(method, url)
    const other = match.found || match.allow[0] === undefined ? match : findRoute(match.allow[0], url)
    state.embedded = other.found && other.route.embedded === true
    return match
  }
}

function createMatchError(allow: readonly string[]): ApiError {
  if (allow.length === 0) return notFound()
  return new ApiError('method_not_allowed', 'Method not allowed', { headers: { allow: allow.join(', ') } })
}
