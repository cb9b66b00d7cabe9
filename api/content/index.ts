import type { ApiDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { createRoute } from './create.ts'
import { templatesRoute } from './templates.ts'

/** Videos for artists. */
export function contentRoutes(deps: ApiDeps): Route[] {
  return [templatesRoute(), createRoute(deps)]
}
