import { z } from 'zod'
import { insertSignIn } from '../../../db/accounts/sign-ins.ts'
import { normalizeEmail } from '../../../domain/mail/addresses.ts'
import { embeddedPageHeaders } from '../../../providers/embedded-page.ts'
import { isDevelopmentToken } from '../../../providers/identity/development-token.ts'
import { readForm } from '../../http/body/form.ts'
import { emptyResponse, route, type Route } from '../../http/route.ts'
import type { RouteDeps } from '../../deps.ts'
import { errorPage, signInPage, type SignInForm } from './page.ts'
import { maxFormBytes, pageResponse, routeDefaults, type Client } from './route-defaults.ts'
import { formatCookie, readCookie } from './open.ts'

const text = z.string().max(2000)
const field = text.default('')
const authorizationQuery = z.object({
  client_id: field,
  redirect_uri: field,
  response_type: field,
  scope: field,
  state: text.optional(),
  nonce: text.optional(),
  code_challenge: field,
  code_challenge_method: field,
  login_hint: text.optional(),
})
type AuthorizationRequest = z.output<typeof authorizationQuery>

const authorizeDefaults = {
  ...routeDefaults,
  path: '/identity/authorize',
  embedded: true,
  query: authorizationQuery,
  responses: { 200: pageResponse, 303: emptyResponse('Redirect to the console.'), 400: pageResponse },
} as const

/** Routes of the sign-in page and its form, which is sent to the URL of the page. */
export function authorizeRoutes({ db, config }: RouteDeps, client: Client): Route[] {
  const headers = embeddedPageHeaders({ formTargets: [new URL(client.redirectUri).origin] })
  const isAccepted = (token: string): boolean => isDevelopmentToken(config.SERVER_SECRET ?? '', token)
  const show = <S extends 200 | 400>(status: S, form: SignInForm) =>
    ({ status, headers, body: signInPage(form) }) as const
  const redirect = (
    request: AuthorizationRequest,
    fields: Record<string, string>,
    cookies?: Record<string, string>,
  ) => {
    const url = new URL(client.redirectUri)
    const { state } = request
    url.search = new URLSearchParams(state === undefined ? fields : { ...fields, state }).toString()
    return { status: 303, headers: { location: url.href, 'referrer-policy': 'no-referrer', ...cookies } } as const
  }
  /** Shows an error for an unknown client, and redirects with an error for an invalid request of the console. */
  const reject = (request: AuthorizationRequest) => {
    const clientError = findClientError(request, client)
    if (clientError !== undefined) return { status: 400, headers, body: errorPage(clientError) } as const
    const requestError = findRequestError(request)
    return requestError && redirect(request, requestError)
  }
  return [
    route({
      ...authorizeDefaults,
      method: 'GET',
      summary: 'Show the sign-in page',
      description: 'The authorization endpoint of the embedded issuer: code with PKCE.',
      bodyLimit: 0,
      errors: ['misdirected_request'],
      handle: async ({ query: request, headers: { cookie } }) => {
        const { token, email } = readCookie(cookie)
        return reject(request) ?? show(200, { email: request.login_hint ?? email, hasToken: isAccepted(token) })
      },
    }),
    route({
      ...authorizeDefaults,
      method: 'POST',
      summary: 'Sign in',
      description: 'The form of the page.',
      bodyLimit: maxFormBytes,
      streamedBody: 'application/x-www-form-urlencoded',
      errors: ['forbidden', 'misdirected_request', 'payload_too_large', 'unsupported_media_type'],
      handle: async ({ query: request, readBody, headers: { cookie } }) => {
        const form = await readForm(readBody, maxFormBytes)
        const rejection = reject(request)
        if (rejection !== undefined) return rejection
        const { token: storedToken } = readCookie(cookie)
        const hasToken = isAccepted(storedToken)
        const token = hasToken ? storedToken : (form.get('development_token') ?? '')
        const page = { email: form.get('email') ?? '', hasToken }
        if (!isAccepted(token))
          return show(400, { ...page, error: ['token', 'This is not the development token of this deployment.'] })
        const email = normalizeEmail(page.email)
        if (email === undefined) return show(400, { ...page, error: ['email', 'This is not an email address.'] })
        const { code_challenge: codeChallenge, nonce = null } = request
        const code = await insertSignIn(db, { ...client, codeChallenge, nonce, email })
        const cookies = { 'set-cookie': formatCookie({ token, email }) }
        return redirect(request, { code, iss: config.baseUrl }, cookies)
      },
    }),
  ]
}

/** Returns why the browser must not be redirected to the client; undefined when it may. */
function findClientError(request: AuthorizationRequest, { clientId, redirectUri }: Client): string | undefined {
  if (request.client_id !== clientId) return 'The client_id is not the client id of the console.'
  return request.redirect_uri === redirectUri ? undefined : `The redirect_uri is not ${redirectUri}.`
}

/** Returns the error for a request that does not use the authorization code flow with PKCE. */
function findRequestError(request: AuthorizationRequest): Record<string, string> | undefined {
  if (request.response_type !== 'code')
    return { error: 'unsupported_response_type', error_description: 'response_type must be code' }
  if (!request.scope.split(' ').includes('openid'))
    return { error: 'invalid_scope', error_description: 'scope must include openid' }
  if (request.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(request.code_challenge))
    return { error: 'invalid_request', error_description: 'PKCE with S256 is required' }
  return undefined
}
