import type { Logger } from 'pino'
import { resolveRequestId } from '../http/answers/headers.ts'
import type { SiteMiddleware } from './site-record.ts'
import type { Metrics } from './metrics.ts'

// Logged status of a request whose client disconnected before the response ended.
const clientClosedStatus = 499

/**
 * Assigns each request its id, and writes one log line and one measurement when its response ends. Never logs a header
 * or a body.
 */
export function observe(log: Logger, metrics: Metrics): SiteMiddleware {
  // Redaction is disabled, because these lines contain no credentials and redaction would take most of the time of a line.
  const requestLog = log.child({}, { redact: [] })
  return (ctx, next) => {
    const startedAt = performance.now()
    const { res, state, method } = ctx
    state.requestId = resolveRequestId(ctx.req.headers['x-request-id'] as string | undefined)
    res.once('close', () => {
      const ms = performance.now() - startedAt
      const status = res.writableFinished ? res.statusCode : clientClosedStatus
      const { site } = state
      const route = site?.route ?? state.route?.path ?? 'none'
      metrics.durations.observe({ method, route, status }, ms / 1000)
      if (site !== undefined) metrics.siteRequests.inc({ route, tool: site.tool ?? 'none', status })
      const level = state.route?.rate === 'none' ? 'debug' : 'info'
      requestLog[level](
        { requestId: state.requestId, method, route, status, ms: Math.round(ms), accountId: state.accountId, ...site },
        'request',
      )
    })
    return next()
  }
}
