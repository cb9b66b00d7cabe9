import { insertSignIn } from '../../../db/accounts/sign-ins.ts'
import { normalizeEmail } from '../../../domain/mail/addresses.ts'
import { isDevelopmentToken } from '../../../providers/identity/development-token.ts'
import { embeddedPageHeaders } from '../../../providers/embedded-page.ts'
import { readForm } from '../../http/body/form.ts'
import { emptyResponse, route, streamedResponse, type Route } from '../../http/route.ts'
import type { RouteDeps } from '../../deps.ts'
import { formatCookie, readCookie } from './cookie.ts'
import { rejectionPage, signInPage } from './page.ts'
import {
  buildRedirectUrl,
  authorizationFields,
  authorizationQuery,
  findClientError,
  findRequestError,
  type AuthorizationRequest,
  type Client,
} from './request.ts'
import { externalIssuerNote, maxFormBytes, routeDefaults } from './route-defaults.ts'

const authorizeDefaults = {
  ...routeDefaults,
  path: '/identity/authorize',
  embedded: true,
} as const

const responses = {
  200: streamedResponse('text/html', 'The page.'),
  303: emptyResponse('Redirect to the console.'),
  400: streamedResponse('text/html', 'The page with the error.'),
} as const

type Deps = Pick<RouteDeps, 'db' | 'config'>

/** Routes of the sign-in page and its form. */
export function authorizeRoutes(deps: Deps, client: Client): Route[] {
  return [show(deps, client), submit(deps, client)]
}

function show({ config }: Deps, client: Client): Route {
  return route({
    ...authorizeDefaults,
    method: 'GET',
    summary: 'Show the sign-in page',
    description: `The authorization endpoint of the embedded issuer: code with PKCE. ${externalIssuerNote}`,
    bodyLimit: 0,
    query: authorizationQuery,
    responses,
    errors: ['invalid_request', 'misdirected_request'],
    handle: async ({ query: { login_hint: hint, ...request }, headers }) => {
      const rejection = createRejection(request, client)
      if (rejection !== undefined) return rejection
      const { token, email } = readCookie(headers['cookie'])
      return createPage(
        200,
        client,
        signInPage({ request, hasToken: hasDevelopmentToken(config, token), email: hint ?? email }),
      )
    },
  })
}

function submit({ db, config }: Deps, client: Client): Route {
  return route({
    ...authorizeDefaults,
    method: 'POST',
    summary: 'Sign in',
    description: `The form of the page. ${externalIssuerNote}`,
    bodyLimit: maxFormBytes,
    streamedBody: 'application/x-www-form-urlencoded',
    responses,
    errors: ['invalid_request', 'forbidden', 'misdirected_request', 'payload_too_large', 'unsupported_media_type'],
    handle: async ({ readBody, headers }) => {
      const form = await readForm(readBody, maxFormBytes)
      const request: AuthorizationRequest = Object.fromEntries(
        authorizationFields.map((name) => [name, form.get(name) ?? undefined]),
      )
      const rejection = createRejection(request, client)
      if (rejection !== undefined) return rejection
      const cookieToken = readCookie(headers['cookie']).token
      const hasToken = hasDevelopmentToken(config, cookieToken)
      const token = hasToken ? cookieToken : (form.get('development_token') ?? '')
      const emailInput = form.get('email') ?? ''
      const renderError = (field: 'email' | 'token', text: string) =>
        createPage(400, client, signInPage({ request, hasToken, email: emailInput, inputError: { field, text } }))
      if (!hasDevelopmentToken(config, token))
        return renderError('token', 'This is not the development token of this deployment.')
      const email = normalizeEmail(emailInput)
      if (email === undefined) return renderError('email', 'This is not an email address.')
      const code = await insertSignIn(db, {
        ...client,
        codeChallenge: request.code_challenge ?? '',
        nonce: request.nonce ?? null,
        email,
      })
      return {
        status: 303,
        headers: {
          location: buildRedirectUrl(request, { code, iss: config.baseUrl }),
          'set-cookie': formatCookie({ token, email }),
          'referrer-policy': 'no-referrer',
        },
      }
    },
  })
}

function hasDevelopmentToken({ SERVER_SECRET: secret = '' }: Deps['config'], token: string): boolean {
  return isDevelopmentToken(secret, token)
}

/** Returns an error page for an unknown client, and an error redirect for an invalid request of a known one. */
function createRejection(request: AuthorizationRequest, client: Client) {
  const clientError = findClientError(request, client)
  if (clientError !== undefined) return createPage(400, client, rejectionPage(clientError))
  const requestError = findRequestError(request)
  return requestError && ({ status: 303, headers: { location: buildRedirectUrl(request, requestError) } } as const)
}

function createPage<S extends 200 | 400>(status: S, { redirectUri }: Client, body: string) {
  return { status, headers: embeddedPageHeaders({ formTargets: [new URL(redirectUri).origin] }), body } as const
}
