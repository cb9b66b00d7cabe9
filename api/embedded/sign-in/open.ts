import { z } from 'zod'
import type { Config } from '../../../config.ts'
import { normalizeEmail } from '../../../domain/mail/addresses.ts'
import { html } from '../../../domain/pages/html.ts'
import { embeddedPageHeaders } from '../../../providers/embedded-page.ts'
import { isDevelopmentToken } from '../../../providers/identity/development-token.ts'
import { notFound } from '../../http/errors.ts'
import { route, type Route } from '../../http/route.ts'
import { issuerPage } from './page.ts'
import { pageResponse, routeDefaults } from './route-defaults.ts'
import { readCookieValue } from '../../http/cookies.ts'

/** Stores the development token in a cookie, so that the user need not paste it into the sign-in page. */
export function openRoute({ SERVER_SECRET: secret = '', consoleUrl }: Config): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/identity/open/{token}',
    summary: 'Remember the development token in this browser',
    description: 'Redirects to the console, whose sign-in then needs only an email address.',
    bodyLimit: 0,
    embedded: true,
    params: z.object({ token: z.string() }),
    query: z.object({ email: z.string().max(320).optional() }),
    responses: { 200: pageResponse },
    errors: ['not_found', 'misdirected_request'],
    authorize: async ({ params: { token } }) => {
      if (!isDevelopmentToken(secret, token)) throw notFound()
    },
    handle: async ({ params: { token }, query: { email = '' } }) => ({
      status: 200,
      headers: {
        ...embeddedPageHeaders(),
        'referrer-policy': 'no-referrer',
        refresh: `0; url=${consoleUrl}`,
        'set-cookie': formatCookie({ token, email: normalizeEmail(email) ?? '' }),
      },
      // Visible only in browsers that do not follow the redirect.
      body: issuerPage(
        html`<p>The development token is now stored in this browser.</p>
          <p><a href="${consoleUrl}">Open the console</a></p>`,
      ),
    }),
  })
}

const name = 'backline_sign_in'
const maxAgeSeconds = 30 * 24 * 60 * 60

/** Cookie of the issuer's pages: the development token, and the last email address. */
type SignInCookie = { token: string; email: string }

export function readCookie(header: string | undefined): SignInCookie {
  const [token = '', email = ''] = (readCookieValue(header, name) ?? '').split('.')
  return { token, email: Buffer.from(email, 'base64url').toString() }
}

/** Returns a Set-Cookie value for the pages of the issuer only. Scripts cannot read the cookie. */
export function formatCookie({ token, email }: SignInCookie): string {
  const value = `${token}.${Buffer.from(email).toString('base64url')}`
  return `${name}=${value}; Path=/identity; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`
}
