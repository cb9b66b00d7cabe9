import type { Config } from '../../../config.ts'
import { parseUrl } from '../../../domain/fields/url.ts'
import { ApiError } from '../../http/errors.ts'

type RequestHeaders = Readonly<Record<string, string | undefined>>

/** The cookie that keeps a browser signed in to the console. Only the routes of its sign-in read it. */
export type SignInCookie = {
  /** Text of the cookie; undefined if the browser has none. Throws 403 unless a page of the console sent the request. */
  read(headers: RequestHeaders): string | undefined
  /** Headers that store the cookie until `expiresAt`. */
  keep(token: string, expiresAt: Date): Record<string, string>
  /** Headers that remove the cookie. */
  remove(): Record<string, string>
}

/**
 * SameSite=Strict keeps the cookie out of requests that other sites cause, and the check of the origin refuses what is
 * left: pages of other ports and of sibling domains, which count as the same site. With https, the prefix `__Host-` prevents
 * a sibling domain from storing a cookie of its own here.
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
      const pairs = (headers['cookie'] ?? '').split(';').map((pair) => pair.trim())
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
    },
    keep: (token, expiresAt) => set(token, Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000))),
    remove: () => set('', 0),
  }
}

/**
 * Browsers send `Origin` with every POST and DELETE, so a request without it does not come from a page. `Host` stands for
 * the origin where the console is opened at another address of this machine.
 */
function isFromConsole(headers: RequestHeaders, consoleOrigin: string): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  return origin !== undefined && (origin === consoleOrigin || parseUrl(origin)?.host === host)
}
