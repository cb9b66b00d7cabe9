import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config.ts'
import { ApiError } from '../http/errors.ts'
import { parseUrl } from '../../domain/fields/url.ts'
import { isLoopback } from '../../domain/fields/hosts.ts'

const wildcards = new Set(['0.0.0.0', '::'])

/**
 * Returns a check that protects the pages of the embedded stack. It throws 421 for an unknown host name, which blocks DNS
 * rebinding, and 403 for a form submission from another site.
 */
export function createEmbeddedGuard(config: Config): (request: IncomingMessage) => void {
  const names = listHostNames(config)
  return (request) => {
    const host = parseHost(request.headers.host)
    const isAllowedHost = host !== undefined && (names.has(readHostName(host)) || isLoopback(readHostName(host)))
    if (!isAllowedHost || countHeaders(request, 'host') > 1)
      throw new ApiError(
        'misdirected_request',
        'This page is not served under this host name: open it at BASE_URL, or add the name to ALLOWED_HOSTS',
      )
    if (request.method !== 'GET' && request.method !== 'HEAD' && isCrossSite(request, config.baseUrl))
      throw new ApiError('forbidden', 'Cross-site requests are not allowed')
  }
}

function listHostNames({ baseUrl, listenHosts, allowedHosts }: Config): Set<string> {
  const listenNames = listenHosts
    .filter((host) => !wildcards.has(host))
    .map((host) => (host.includes(':') ? `[${host}]` : host))
  const urls = [...allowedHosts, ...listenNames].flatMap((text) => parseHost(text) ?? [])
  return new Set([new URL(baseUrl), ...urls].map(readHostName))
}

/** Parses a Host header as the host and port of a URL. Returns undefined for an invalid header. */
function parseHost(text: string | undefined): URL | undefined {
  if (text === undefined || !/^(?:\[[0-9a-f:.]+\]|[^\s/?#@\\:]+)(?::\d{1,5})?$/i.test(text)) return undefined
  return parseUrl(`http://${text}`)
}

function readHostName({ hostname }: URL): string {
  return hostname.replace(/\.$/, '')
}

function countHeaders({ rawHeaders }: IncomingMessage, name: string): number {
  return rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === name).length
}

/** True if the headers show that a page of another site sent the request. */
function isCrossSite({ headers }: IncomingMessage, baseUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  const { origin, host } = headers
  if (origin === undefined) return false
  const originUrl = parseUrl(origin)
  return originUrl === undefined || (originUrl.host !== parseHost(host)?.host && origin !== new URL(baseUrl).origin)
}
