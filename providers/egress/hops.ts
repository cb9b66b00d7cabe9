import { hopByHop } from './hop-by-hop.ts'
import { EgressError, type EgressStreamRequest } from './index.ts'
import { parseUrl } from '../../domain/fields/url.ts'

/** One request in a chain of redirects. Header names are in lower case. */
export type Hop = {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | Uint8Array | undefined
}

/** Headers of the connection, and headers that the HTTP client sets itself. */
const connectionHeaders = new Set<string>([...hopByHop, 'content-length', 'host', 'http2-settings'])

/** Headers that do not identify the sender. Only these are sent to another origin after a redirect. */
const crossOriginHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-language',
  'content-type',
  'user-agent',
])

const defaults = { accept: '*/*', 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'backline' }

export function firstHop({ url, method = 'GET', headers = {}, body }: EgressStreamRequest): Hop {
  const lowerCased = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    url: requireHttpUrl(url),
    method,
    headers: { ...defaults, ...filterHeaders(lowerCased, (name) => !connectionHeaders.has(name)) },
    body: method === 'GET' || method === 'HEAD' ? undefined : body,
  }
}

/** Returns the next request after a redirect, by the rules of the fetch standard; undefined if it is not a redirect. */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  const url = requireHttpUrl(location, hop.url)
  const becomesGet = isChangedToGet(status, hop.method)
  const headers = filterHeaders(
    hop.headers,
    (name) =>
      (url.origin === hop.url.origin || crossOriginHeaders.has(name)) && !(becomesGet && name.startsWith('content-')),
  )
  return { url, headers, method: becomesGet ? 'GET' : hop.method, body: becomesGet ? undefined : hop.body }
}

function requireHttpUrl(text: string, base?: URL): URL {
  const url = parseUrl(text, base)
  if (url === undefined) throw new EgressError('url')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new EgressError('url')
  if (url.username !== '' || url.password !== '') throw new EgressError('url')
  return url
}

function filterHeaders(headers: Record<string, string>, keep: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => keep(name)))
}

/** True if the redirect changes the method to GET: 303 and, by convention, 301 and 302 after a POST. */
function isChangedToGet(status: number, method: string): boolean {
  return (
    (status === 303 && method !== 'GET' && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST')
  )
}
