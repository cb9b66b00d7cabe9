import type { Logger } from 'pino'
import { responseHeaders, preflightHeaders, type HeaderRecord } from '../answers/headers.ts'
import { isStreamedBody } from '../answers/live.ts'
import { renderError } from '../answers/render.ts'
import { send } from '../answers/send.ts'
import { toApiError } from '../failures.ts'
import type { Route, StoredResponse } from '../route.ts'
import type { Exchange } from './exchange.ts'

const retryableStatuses = new Set([429, 503, 504])

export function respond({ res, state }: Exchange, route: Route, response: StoredResponse): void {
  // A request that timed out already has a response.
  if (res.headersSent) {
    if (isStreamedBody(response.body)) response.body.destroy()
    return
  }
  const headers = responseHeaders(state.requestId, state.rate, response.headers, state.embedded)
  send(res, headers, response, route.responses[response.status])
}

export function respondToPreflight({ res, state }: Exchange, route: Route | undefined): void {
  const routeHeaders = state.embedded === true ? {} : preflightHeaders(route?.allowHeaders)
  send(res, responseHeaders(state.requestId, undefined, routeHeaders, state.embedded), { status: 204 })
}

/** Returns the step that responds with an error. An unexpected error is logged and becomes a 500. */
export function createFail(log: Logger) {
  return (ctx: Exchange, thrown: unknown): void => {
    const { route, requestId, rate, embedded } = ctx.state
    const error = toApiError(thrown)
    // An overload error, which has no cause, is not logged here: its rejection is counted, and the request is logged.
    if (error.status >= 500 && (error.code !== 'unavailable' || error.cause !== undefined))
      log.error({ err: error.cause ?? error, requestId, route: route?.path, status: error.status }, error.message)
    if (ctx.res.headersSent) return
    const headers = { ...defaultHeaders(error.status), ...error.headers }
    const rendered = renderError(route?.envelope ?? 'standard', error, requestId)
    const body = error.status === 400 ? { ...rendered, ...route?.errorFields } : rendered
    send(ctx.res, responseHeaders(requestId, rate, headers, embedded), { status: error.status, headers, body })
  }
}

/** Returns the headers that an error response has unless the error sets them. */
function defaultHeaders(status: number): HeaderRecord {
  if (status === 401)
    return { 'www-authenticate': 'Bearer realm="Backline", ApiKey realm="Backline" header="x-api-key"' }
  return retryableStatuses.has(status) ? { 'retry-after': '1' } : {}
}
