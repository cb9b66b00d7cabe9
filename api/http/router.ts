import createRouter from 'find-my-way'
import type { Route } from './route.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof methods)[number]

export type Match =
  | { found: true; route: Route; params: Record<string, string> }
  /** `allow` lists the methods of the path; empty for an unknown path. */
  | { found: false; allow: string[] }

/** Finds the route of a method and URL. HEAD finds the GET route. */
export function createRouteFinder(routes: readonly Route[]): (method: string, url: string) => Match {
  const router = createRouter({ maxParamLength: 2048, querystringParser: () => ({}) })
  for (const route of routes)
    router.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, route)
  const find = (method: Method, url: string): { route: Route; params: Record<string, string> } | undefined => {
    const match = router.find(method, url)
    if (match === null) return undefined
    const params: Record<string, string> = {}
    for (const name in match.params) {
      const value = match.params[name] ?? ''
      if (value === '') return undefined
      params[name] = withoutNul(value)
    }
    return { route: match.store as Route, params }
  }
  const allowed = (url: string): string[] => {
    const known: string[] = methods.filter((method) => find(method, url) !== undefined)
    if (known.length === 0) return []
    return [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
  }
  return (method, url) => {
    const asked = method === 'HEAD' ? 'GET' : method
    const match = isMethod(asked) ? find(asked, url) : undefined
    return match === undefined ? { found: false, allow: allowed(url) } : { found: true, ...match }
  }
}

// No stored text contains NUL, so an id with NUL is unknown; Postgres would reject the comparison.
function withoutNul(value: string): string {
  return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
}

function isMethod(method: string): method is Method {
  return methods.some((known) => known === method)
}
