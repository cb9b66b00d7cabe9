import type { Middleware } from 'koa'
import type { Logger } from 'pino'
import type { RequestState } from '../http/dispatch.ts'
import { requestIdOf } from '../http/answers/headers.ts'
import type { Metrics } from './metrics.ts'

// What a client left before the answer was out is logged as.
const clientLeft = 499

/** Gives each request its id, and one log line and one measurement when its answer is over. Never logs a header or a body. */
export function observe(log: Logger, metrics: Metrics): Middleware<RequestState> {
  // Nothing in these lines can be a credential, and looking for one costs more than all else about a line.
  const lines = log.child({}, { redact: [] })
  return (ctx, next) => {
    const startedAt = performance.now()
    const { res, state, method } = ctx
    state.requestId = requestIdOf(ctx.req.headers['x-request-id'] as string | undefined)
    res.once('close', () => {
      const ms = performance.now() - startedAt
      const status = res.writableFinished ? res.statusCode : clientLeft
      const { site } = state
      const route = site?.route ?? state.route?.path ?? 'none'
      metrics.durations.observe({ method, route, status }, ms / 1000)
      if (site !== undefined) metrics.siteRequests.inc({ route, tool: site.tool ?? 'none', status })
      const level = state.route?.rate === 'none' ? 'debug' : 'info'
      lines[level](
        { requestId: state.requestId, method, route, status, ms: Math.round(ms), accountId: state.accountId, ...site },
        'request',
      )
    })
    return next()
  }
}
