import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import type { RequestHeaders } from './answers/headers.ts'
import { noIdempotency } from './idempotency.ts'
import type { Receive } from './body/intake.ts'
import type { Caller, Request } from './route.ts'

type Sent = Context & { state: { requestId: string } }

/** Aborts when the connection closes before the answer is out. */
const closedSignal = ({ res }: Context): AbortSignal => {
  const controller = new AbortController()
  if (res.destroyed) controller.abort()
  else res.once('close', () => controller.abort())
  return controller.signal
}

/** What a handler sees of a request. */
export class RouteRequest implements Request<unknown, unknown, unknown> {
  readonly #ctx: Sent
  #closed: AbortSignal | undefined
  readonly caller: Caller
  readonly params: unknown
  readonly body: unknown
  readonly query: unknown
  readonly headers: RequestHeaders
  readonly requestId: string
  readonly receive: Receive
  idempotency = noIdempotency

  constructor(
    ctx: Sent,
    caller: Caller,
    { params, body, query, receive }: { params: unknown; body: unknown; query: unknown; receive: Receive },
  ) {
    this.#ctx = ctx
    this.caller = caller
    this.params = params
    this.body = body
    this.query = query
    this.headers = ctx.headers as RequestHeaders
    this.requestId = ctx.state.requestId
    this.receive = receive
  }

  get incoming(): IncomingMessage {
    return this.#ctx.req
  }

  get closed(): AbortSignal {
    return (this.#closed ??= closedSignal(this.#ctx))
  }
}
