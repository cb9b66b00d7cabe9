import { z } from 'zod'
import type { Config } from '../../../config.ts'
import { normalizeEmail } from '../../../domain/mail/addresses.ts'
import { html } from '../../../domain/pages/html.ts'
import { embeddedPageHeaders } from '../../../providers/embedded-page.ts'
import { isDevelopmentToken } from '../../../providers/identity/development-token.ts'
import { notFound } from '../../http/errors.ts'
import { route, type Route } from '../../http/route.ts'
import { formatCookie } from './cookie.ts'
import { issuerPage } from './page.ts'
import { pageResponse, routeDefaults } from './route-defaults.ts'

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
