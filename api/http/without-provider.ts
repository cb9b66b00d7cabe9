import { ApiError } from './errors.ts'
import type { Route } from './route.ts'

/** Returns the routes of a capability whose provider is `none`. Stored rows stay readable, and POST routes respond with 404. */
export function withoutProvider(setting: string, routes: readonly Route[]): Route[] {
  const reject = (): Promise<never> =>
    Promise.reject(new ApiError('not_found', `Not available in this deployment: ${setting} is set to none`))
  return routes.map((route) =>
    route.method === 'POST' ? { ...route, errors: [...(route.errors ?? []), 'not_found'], authorize: reject } : route,
  )
}
