import type { Context } from 'koa'
import type { RateState } from '../answers/headers.ts'
import type { RequestSlot } from '../limits/overload.ts'
import type { Caller, Route } from '../route.ts'

/** A call to audit, whose caller has been identified. */
export type AuditedCall = { caller: Caller; route: Route; pathParams: Record<string, string>; requestId: string }

/** Data that the dispatcher records about a request, for the log and for later steps. */
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

/** A request whose route was found. `slot` is undefined if the rate class of the route is `none`. */
export type MatchedRequest = {
  ctx: Exchange
  route: Route
  pathParams: Record<string, string>
  slot: RequestSlot | undefined
}
