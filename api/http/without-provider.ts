import { ApiError } from './errors.ts'
import type { Route } from './route.ts'

/** The routes of a capability whose provider setting is `none`: rows can be read, and no work is accepted. */
export function withoutProvider(setting: string, routes: readonly Route[]): Route[] {
  const refuse = (): Promise<never> =>
    Promise.reject(new ApiError('not_found', `This deployment does not offer this: ${setting} is none`))
  return routes.map((route) =>
    route.method === 'POST' ? { ...route, errors: [...(route.errors ?? []), 'not_found'], authorize: refuse } : route,
  )
}
