import { personOrigin } from '../../../domain/runs/origin.ts'
import { isOpenToRuns } from '../../../domain/runs/paths.ts'
import type { RequestHeaders } from '../answers/headers.ts'
import type { createClientAddressReader } from '../limits/network-address.ts'
import type { createRates } from '../limits/rates.ts'
import { callerName } from '../limits/shares.ts'
import type { Caller, Route } from '../route.ts'
import type { Exchange, MatchedRequest } from './exchange.ts'
import type { DispatchPorts } from './ports.ts'

/** Rate classes that count by network address instead of account. */
const countedByAddress = new Set<Route['rate']>(['signup', 'checkouts', 'anonymous'])
const anonymous: Caller = { accountId: '', via: 'key', ephemeral: false, origin: personOrigin('web') }

type IdentifyDeps = Pick<DispatchPorts, 'access' | 'connections'> & {
  rates: ReturnType<typeof createRates>
  readNetworkAddress: ReturnType<typeof createClientAddressReader>
}

/** Returns the step that identifies the caller of a request and counts the request towards the caller's limits. */
export function createIdentify({ access, connections, rates, readNetworkAddress }: IdentifyDeps) {
  /**
   * Returns the account or address that a request to an open route counts towards. The request may contain a key that the
   * route does not require, as all requests from sandboxes do.
   */
  const resolveOpenHolder = async ({ req, path }: Exchange): Promise<string> => {
    const address = readNetworkAddress(req)
    const { 'x-api-key': key } = req.headers as RequestHeaders
    const sender =
      key === undefined
        ? undefined
        : await access.authenticate({ 'x-api-key': key }, 'key', address).catch(() => undefined)
    // Some sandbox networks add the key to every request, even on paths that are closed to runs.
    if (sender !== undefined && !isOpenToRuns(path)) access.rejectEphemeral(sender)
    return sender === undefined ? `address ${address}` : callerName(sender)
  }

  const identifyOpen = async ({ ctx, route, slot }: MatchedRequest): Promise<Caller> => {
    if (slot !== undefined || !isOpenToRuns(ctx.path)) {
      const holder = await resolveOpenHolder(ctx)
      slot?.countFor(holder)
    }
    if (countedByAddress.has(route.rate)) await rates.countRequest(route.rate, readNetworkAddress(ctx.req), ctx.state)
    return anonymous
  }

  const identifyAuthenticated = async ({ ctx, route, slot }: MatchedRequest): Promise<Caller> => {
    const { headers, req, state } = ctx
    const authenticated = await access.authenticate(headers as RequestHeaders, route.auth, readNetworkAddress(req))
    state.accountId = authenticated.accountId
    slot?.countFor(callerName(authenticated))
    connections?.countFor(req.socket, callerName(authenticated))
    if (route.rate !== 'none') await rates.countRequest(route.rate, authenticated.accountId, state)
    return authenticated
  }

  return async (matched: MatchedRequest): Promise<Caller> => {
    const { ctx, route, pathParams } = matched
    access.rejectRepeatedCredentials(ctx.req, route.auth)
    const isOpenCall = isOpen(route, ctx.headers as RequestHeaders)
    const authenticated = isOpenCall ? await identifyOpen(matched) : await identifyAuthenticated(matched)
    const caller: Caller = { ...authenticated, record: {}, ...(route.sharedReads === true && { sharedReads: true }) }
    if (isAudited(route, isOpenCall)) ctx.state.audited = { caller, route, pathParams, requestId: ctx.state.requestId }
    return caller
  }
}

/** True if the request needs no credential, because the route requires none or the request has a signature instead. */
function isOpen({ auth, signedBy }: Route, headers: RequestHeaders): boolean {
  return (
    auth === 'none' ||
    ((auth === 'optional' || (signedBy !== undefined && headers[signedBy] !== undefined)) &&
      headers['x-api-key'] === undefined &&
      headers.authorization === undefined)
  )
}

/** Unless the route declares `audited`, true for calls of an authenticated caller with a method other than GET. */
function isAudited({ audited, method }: Route, isOpenCall: boolean): boolean {
  return audited === undefined ? !isOpenCall && method !== 'GET' : audited !== false
}
