import type { Context } from 'koa'
import type { RequestHeaders } from './answers/headers.ts'
import { noIdempotency } from './idempotency.ts'
import type { Request } from './route.ts'

type RequestContext = Context & { state: { requestId: string } }
type Parsed = Pick<Request<unknown, unknown, unknown>, 'caller' | 'holder' | 'params' | 'query' | 'body' | 'readBody'>

/** Creates the request that a handler receives. */
export function createRequest(ctx: RequestContext, parsed: Parsed): Request<unknown, unknown, unknown> {
  let closed: AbortSignal | undefined
  return {
    ...parsed,
    headers: ctx.headers as RequestHeaders,
    requestId: ctx.state.requestId,
    idempotency: noIdempotency,
    get incoming() {
      return ctx.req
    },
    get closed() {
      return (closed ??= closedSignal(ctx))
    },
  }
}

/** Returns a signal that aborts when the response closes. */
function closedSignal({ res }: Context): AbortSignal {
  const controller = new AbortController()
  if (res.destroyed) controller.abort()
  else res.once('close', () => controller.abort())
  return controller.signal
}
