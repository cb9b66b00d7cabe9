import type { Context } from 'koa'
import type { RateState } from '../answers/headers.ts'
import type { RequestSlot } from '../limits/overload.ts'
import type { Caller, Route } from '../route.ts'

/** A call to be audited, after its caller was identified. */
export type AuditedCall = { caller: Caller; route: Route; pathParams: Record<string, string>; requestId: string }

/** Data of a request for later middleware and the log. */
export type RequestState = {
  requestId: string
  route?: Route
  /** True for a path of the embedded stack, with any method. */
  embedded?: boolean
  accountId?: string
  rate?: RateState
  audited?: AuditedCall
}

export type Exchange = Context & { state: RequestState }

/** A request whose route was found. A request of a route without a rate class has no slot. */
export type MatchedRequest = {
  ctx: Exchange
  route: Route
  pathParams: Record<string, string>
  slot: RequestSlot | undefined
}
