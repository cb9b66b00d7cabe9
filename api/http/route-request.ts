import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import type { RequestHeaders } from './answers/headers.ts'
import { noIdempotency } from './idempotency.ts'
import type { ReadBody } from './body/reader.ts'
import type { Caller, Request, Holder } from './route.ts'

type RequestContext = Context & { state: { requestId: string } }

/** Returns a signal that aborts when the response closes. */
function closedSignal({ res }: Context): AbortSignal {
  const controller = new AbortController()
  if (res.destroyed) controller.abort()
  else res.once('close', () => controller.abort())
  return controller.signal
}

/** The request that a handler receives. */
export class RouteRequest implements Request<unknown, unknown, unknown> {
  readonly #ctx: RequestContext
  #closed: AbortSignal | undefined
  readonly caller: Caller
  readonly holder: Holder
  readonly params: unknown
  readonly body: unknown
  readonly query: unknown
  readonly headers: RequestHeaders
  readonly requestId: string
  readonly readBody: ReadBody
  idempotency = noIdempotency

  constructor(
    ctx: RequestContext,
    { caller, holder }: { caller: Caller; holder: Holder },
    { params, body, query, readBody }: { params: unknown; body: unknown; query: unknown; readBody: ReadBody },
  ) {
    this.#ctx = ctx
    this.caller = caller
    this.holder = holder
    this.params = params
    this.body = body
    this.query = query
    this.headers = ctx.headers as RequestHeaders
    this.requestId = ctx.state.requestId
    this.readBody = readBody
  }

  get incoming(): IncomingMessage {
    return this.#ctx.req
  }

  get closed(): AbortSignal {
    return (this.#closed ??= closedSignal(this.#ctx))
  }
}
