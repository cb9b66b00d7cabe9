import type { Config } from '../../../config.ts'
import { parseUrl } from '../../../domain/fields/url.ts'
import { readCookieValue } from '../../http/cookies.ts'
import { ApiError } from '../../http/errors.ts'

type RequestHeaders = Readonly<Record<string, string | undefined>>

/** Reads and writes the cookie that keeps a browser signed in to the console. Only the sign-in routes use it. */
export type SignInCookie = {
  /** Returns the cookie's value; undefined if there is none. Throws 403 unless a page of the console sent the request. */
  read(headers: RequestHeaders): string | undefined
  /** Returns headers that store the cookie until `expiresAt`. */
  store(token: string, expiresAt: Date): Record<string, string>
  /** Returns headers that remove the cookie. */
  remove(): Record<string, string>
}

/**
 * With SameSite=Strict, browsers omit the cookie from requests of other sites. The origin check rejects pages of other ports
 * and of sibling domains, which count as the same site. With https, the prefix `__Host-` prevents a sibling domain from
 * setting this cookie.
 */
export function createSignInCookie(config: Pick<Config, 'consoleUrl'>): SignInCookie {
  const { protocol, origin } = new URL(config.consoleUrl)
  const name = protocol === 'https:' ? '__Host-backline_console' : 'backline_console'
  const attributes = `Path=/; HttpOnly; SameSite=Strict${protocol === 'https:' ? '; Secure' : ''}`
  const set = (value: string, seconds: number): Record<string, string> => ({
    'set-cookie': `${name}=${value}; Max-Age=${seconds}; ${attributes}`,
    // Replaces the header that lets every site read responses.
    'access-control-allow-origin': origin,
    vary: 'Origin',
  })
  return {
    read: (headers) => {
      if (!isFromConsole(headers, origin))
        throw new ApiError('forbidden', 'Only pages of the console may use its cookie')
      return readCookieValue(headers['cookie'], name)
    },
    store: (token, expiresAt) => set(token, Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000))),
    remove: () => set('', 0),
  }
}

/**
 * Browsers send `Origin` with every POST and DELETE, so a request without it does not come from a page. An origin that
 * matches `Host` is accepted for consoles that are opened at another address of this machine.
 */
function isFromConsole(headers: RequestHeaders, consoleOrigin: string): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  return origin !== undefined && (origin === consoleOrigin || parseUrl(origin)?.host === host)
}
