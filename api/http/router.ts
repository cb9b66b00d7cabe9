import KoaRouter, { type Layer } from '@koa/router'
import type { Route } from './route.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const maxParamLength = 2048

export type Match =
  | { found: true; route: Route; params: Record<string, string> }
  /** `allow`: methods of the path; empty for an unknown path. */
  | { found: false; allow: string[] }

/** The routes under one path prefix. A router tries its layers in order, so each router has few layers. */
type Resource = { router: KoaRouter; routes: Map<Layer, Route> }

/** Finds the route of a method and URL. HEAD finds the GET route. */
export function createRouteFinder(routes: readonly Route[]): (method: string, url: string) => Match {
  const resources = new Map<string, Resource>()
  const sorted = routes.toSorted((a, b) => precedence(a).localeCompare(precedence(b)))
  for (const route of sorted) addRoute(resources, route)
  return (method, url) => {
    const path = parsePath(url)
    if (path === undefined) return { found: false, allow: [] }
    const allowed = new Set<string>()
    for (const resource of listResources(resources, path)) {
      const match = resource.router.match(path, method)
      for (const layer of match.path) {
        const route = resource.routes.get(layer)
        const params = readParams(layer, path)
        if (route === undefined || params === undefined) continue
        if (match.pathAndMethod.includes(layer)) return { found: true, route, params }
        allowed.add(route.method)
      }
    }
    return { found: false, allow: listAllowed(allowed) }
  }
}

function addRoute(resources: Map<string, Resource>, route: Route): void {
  const [first = '', second] = route.path.slice(1).split('/')
  const prefix = second === undefined || second.startsWith('{') ? `/${first}` : `/${first}/${second}`
  let resource = resources.get(prefix)
  if (resource === undefined) {
    resource = { router: new KoaRouter({ strict: true, sensitive: true }), routes: new Map() }
    resources.set(prefix, resource)
  }
  const { router, routes } = resource
  router.register(toPattern(route.path), [route.method], () => undefined)
  const layer = router.stack.at(-1)
  if (layer !== undefined) routes.set(layer, route)
}

/** Returns at most two resources: that of the path's first two segments, then that of its first segment. */
function listResources(resources: ReadonlyMap<string, Resource>, path: string): Resource[] {
  const second = path.indexOf('/', 1)
  const third = second === -1 ? -1 : path.indexOf('/', second + 1)
  const prefixes = [third === -1 ? path : path.slice(0, third), ...(second === -1 ? [] : [path.slice(0, second)])]
  return prefixes.map((prefix) => resources.get(prefix)).filter((resource) => resource !== undefined)
}

/** Converts `/api/things/{id}` to `/api/things/:id`, and escapes the characters that path-to-regexp reserves. */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}|([()[\]{}?+!*:\\])/g, (_, name?: string, other?: string) =>
    name === undefined ? `\\${other}` : `:${name}`,
  )
}

/** Returns a sort key that puts a fixed segment before a parameter in the same place: a router takes its first match. */
function precedence({ path }: Route): string {
  return path.replaceAll(/[^/]+/g, (segment) => (segment.startsWith('{') ? '1' : '0'))
}

/** Returns the path of a URL, or undefined for malformed percent-encoding. */
function parsePath(url: string): string | undefined {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const end = target.search(/[?#]/)
  const path = end === -1 ? target : target.slice(0, end)
  if (!path.includes('%')) return path
  try {
    decodeURIComponent(path)
  } catch {
    return undefined
  }
  // `%61` is equivalent to `a` (RFC 3986, 6.2.2.2). An encoded reserved character is not equivalent to the plain character.
  return path.replaceAll(/%[2-7][0-9a-f]/gi, (code) => {
    const character = decodeURIComponent(code)
    return /[\w.~-]/.test(character) ? character : code
  })
}

function readParams(layer: Layer, path: string): Record<string, string> | undefined {
  const params = layer.params(path, layer.captures(path))
  for (const name in params) {
    const value = params[name] ?? ''
    if (value.length > maxParamLength) return undefined
    // Postgres rejects a comparison with NUL. The replacement keeps such an id unknown, because stored ids contain neither.
    if (value.includes('\0')) params[name] = value.replaceAll('\0', '\uFFFD')
  }
  return params
}

function listAllowed(allowed: ReadonlySet<string>): string[] {
  if (allowed.size === 0) return []
  return [...methods.filter((method) => allowed.has(method)), ...(allowed.has('GET') ? ['HEAD'] : []), 'OPTIONS']
}
