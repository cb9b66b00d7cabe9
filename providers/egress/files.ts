import { parseUrl } from '../../domain/fields/url.ts'
import { isPublicAddress } from './addresses.ts'
import { createEgress } from './guarded.ts'
import { EgressError, type EgressPort } from './index.ts'

/** Fetches files from untrusted addresses. */
export type FileFetcher = {
  /** Streams a file to `consume`. Throws `EgressError`, the errors of `consume`, or the abort reason. */
  read<T>(url: string, consume: (content: AsyncIterable<Uint8Array>) => Promise<T>, signal?: AbortSignal): Promise<T>
}

const timeoutMs = 30_000
const maxRedirects = 3
const maxUrlLength = 2048
const urlFormat = /^[^\p{Cc}]+$/u

/**
 * True for an HTTPS URL on port 443 without credentials and without a private IP address. Names are resolved only when the
 * file is fetched.
 */
export function isFetchable(url: string, { allowPrivate }: { allowPrivate: boolean }): boolean {
  if (url.length > maxUrlLength || !urlFormat.test(url)) return false
  const { protocol, port, username, password, hostname } = parseUrl(url) ?? {}
  if (hostname === undefined || hostname === '' || username !== '' || password !== '') return false
  if (allowPrivate) return protocol === 'https:' || protocol === 'http:'
  return protocol === 'https:' && port === '' && !isPrivateName(hostname)
}

/** Creates a file fetcher with its own egress. */
export function openFileFetcher(allowPrivate: boolean): FileFetcher {
  const egress = createEgress({ connectTimeoutMs: 5000, ...(allowPrivate && { mayDial: () => true }) })
  return createFileFetcher(egress, { allowPrivate })
}

/** Creates a file fetcher for HTTPS and public addresses only. `allowPrivate` (for development) allows any address. */
export function createFileFetcher(egress: EgressPort, { allowPrivate }: { allowPrivate: boolean }): FileFetcher {
  return {
    read: (url, consume, signal) => {
      if (url.length > maxUrlLength || !urlFormat.test(url)) return Promise.reject(new EgressError('url'))
      const request = { url, timeoutMs, maxRedirects, secureOnly: !allowPrivate, ...(signal && { signal }) }
      return egress.receive(request, ({ status, body }) => {
        if (status !== 200) throw new EgressError('response')
        return consume(body)
      })
    },
  }
}

function isPrivateName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  const literal = /^\[(.*)\]$/.exec(name)?.[1] ?? (/^[\d.]+$/.test(name) ? name : undefined)
  return literal !== undefined && !isPublicAddress(literal)
}
