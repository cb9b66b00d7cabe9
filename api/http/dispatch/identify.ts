import { personOrigin } from '../../../domain/runs/origin.ts'
import { isOpenToRuns } from '../../../domain/runs/paths.ts'
import type { RequestHeaders } from '../answers/headers.ts'
import type { createNetworkAddress } from '../limits/network-address.ts'
import type { createRates } from '../limits/rates.ts'
import { callerName } from '../limits/shares.ts'
import type { Caller, Route } from '../route.ts'
import type { Exchange, Matched } from './exchange.ts'
import type { DispatchPorts } from './ports.ts'

/** Rate classes of requests without a caller. */
const countedByAddress = new Set<Route['rate']>(['signup', 'checkouts', 'anonymous'])
const anonymous: Caller = { accountId: '', via: 'key', ephemeral: false, origin: personOrigin('web') }

type IdentifyDeps = Pick<DispatchPorts, 'access' | 'connections'> & {
  rates: ReturnType<typeof createRates>
  readNetworkAddress: ReturnType<typeof createNetworkAddress>
}

/** Returns the step that resolves the caller of a request, and counts the request for it. */
export function createIdentify({ access, connections, rates, readNetworkAddress }: IdentifyDeps) {
  /**
   * Account or address that a request without required credentials counts for: the owner of a key that it carries
   * anyway, as every request from a sandbox does.
   */
  const findOpenHolder = async ({ req, path }: Exchange): Promise<string> => {
    const address = readNetworkAddress(req)
    const { 'x-api-key': key } = req.headers as RequestHeaders
    const sender =
      key === undefined
        ? undefined
        : await access.authenticate({ 'x-api-key': key }, 'key', address).catch(() => undefined)
    // Some sandbox networks add the key without knowing which paths are closed to runs.
    if (sender !== undefined && !isOpenToRuns(path)) access.refuseEphemeral(sender)
    return sender === undefined ? `address ${address}` : callerName(sender)
  }

  const identifyOpen = async ({ ctx, route, slot }: Matched): Promise<Caller> => {
    if (slot !== undefined || !isOpenToRuns(ctx.path)) {
      const holder = await findOpenHolder(ctx)
      slot?.countFor(holder)
    }
    if (countedByAddress.has(route.rate)) await rates.countRequest(route.rate, readNetworkAddress(ctx.req), ctx.state)
    return anonymous
  }

  const identifyKnown = async ({ ctx, route, slot }: Matched): Promise<Caller> => {
    const { headers, req, state } = ctx
    const known = await access.authenticate(headers as RequestHeaders, route.auth, readNetworkAddress(req))
    state.accountId = known.accountId
    slot?.countFor(callerName(known))
    connections?.countFor(req.socket, callerName(known))
    if (route.rate !== 'none') await rates.countRequest(route.rate, known.accountId, state)
    return known
  }

  return async (matched: Matched): Promise<Caller> => {
    const { ctx, route, pathParams } = matched
    access.refuseRepeatedCredentials(ctx.req, route.auth)
    const isOpenCall = isOpen(route, ctx.headers as RequestHeaders)
    const known = isOpenCall ? await identifyOpen(matched) : await identifyKnown(matched)
    const caller: Caller = { ...known, record: {}, ...(route.sharedReads === true && { sharedReads: true }) }
    if (isAudited(route, isOpenCall)) ctx.state.audited = { caller, route, pathParams, requestId: ctx.state.requestId }
    return caller
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

/** True for calls of an authenticated caller that are not reads, unless the route overrides it. */
function isAudited({ audited, method }: Route, isOpenCall: boolean): boolean {
  return audited === undefined ? !isOpenCall && method !== 'GET' : audited !== false
}
