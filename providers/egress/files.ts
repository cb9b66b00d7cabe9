import { parseUrl } from '../../domain/fields/url.ts'
import { isPublicAddress } from './addresses.ts'
import { createEgress } from './guarded.ts'
import { EgressError, type EgressPort } from './index.ts'

/** Fetches files from untrusted addresses. */
export type FileFetch = {
  /** Streams a file to `take`. Throws `EgressError`, the errors of `take`, or the reason of the signal. */
  read<T>(url: string, take: (content: AsyncIterable<Uint8Array>) => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Time limit of a fetch. */
const timeoutMs = 30_000
const maxRedirects = 3
const maxUrlLength = 2048
const wellFormed = /^[^\p{Cc}]+$/u

/**
 * True for an HTTPS URL at port 443, without credentials and without a literal private address. A name is resolved only
 * when the file is fetched.
 */
export function isFetchable(url: string, { allowPrivate }: { allowPrivate: boolean }): boolean {
  if (url.length > maxUrlLength || !wellFormed.test(url)) return false
  const { protocol, port, username, password, hostname } = parseUrl(url) ?? {}
  if (hostname === undefined || hostname === '' || username !== '' || password !== '') return false
  if (allowPrivate) return protocol === 'https:' || protocol === 'http:'
  return protocol === 'https:' && port === '' && !isPrivateName(hostname)
}

/** Creates a file fetch with a separate egress. */
export function openFileFetch(allowPrivate: boolean): FileFetch {
  const egress = createEgress({ connectTimeoutMs: 5000, ...(allowPrivate && { mayDial: () => true }) })
  return createFileFetch(egress, { allowPrivate })
}

/** Allows only HTTPS and public addresses; with `allowPrivate`, for development, any address. */
export function createFileFetch(egress: EgressPort, { allowPrivate }: { allowPrivate: boolean }): FileFetch {
  return {
    read: (url, take, signal) => {
      if (url.length > maxUrlLength || !wellFormed.test(url)) return Promise.reject(new EgressError('url'))
      const request = { url, timeoutMs, maxRedirects, secureOnly: !allowPrivate, ...(signal && { signal }) }
      return egress.receive(request, ({ status, body }) => {
        if (status !== 200) throw new EgressError('response')
        return take(body)
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
