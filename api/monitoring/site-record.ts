import type { Middleware } from 'koa'
import type { SiteErrorCode } from '../../domain/site/errors.ts'
import type { ToolName } from '../../domain/site/tools/index.ts'
import type { RequestState } from '../http/dispatch/exchange.ts'

/** Data of a request to the public site, for the log and the metrics. It contains no input of the client. */
export type SiteRecord = {
  /** Path of the route; for pages and files, their kind. */
  route: string
  tool?: ToolName
  code?: SiteErrorCode
  /** Number of search results on this page. */
  results?: number
}

/** Data of a request to the site or the API. */
type SiteState = RequestState & { site?: SiteRecord }

/** Middleware that handles requests to the site and passes all other requests on to the routes. */
export type SiteMiddleware = Middleware<SiteState>

export function recordResult(record: SiteRecord | undefined, body: object): void {
  if (record !== undefined && 'results' in body && Array.isArray(body.results)) record.results = body.results.length
}
