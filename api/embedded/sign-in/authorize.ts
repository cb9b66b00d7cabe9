import { insertSignIn } from '../../../db/accounts/sign-ins.ts'
import { normalizeEmail } from '../../../domain/mail/addresses.ts'
import { isDevelopmentToken } from '../../../providers/identity/development-token.ts'
import { embeddedPageHeaders } from '../../../providers/embedded-page.ts'
import type { ApiDeps } from '../../deps.ts'
import { takeForm } from '../../http/body/form.ts'
import { empty, route, streamed, type Route } from '../../http/route.ts'
import { formatCookie, readCookie } from './cookie.ts'
import { refusalPage, signInPage } from './page.ts'
import {
  addressBack,
  authorizationFields,
  authorizationQuery,
  clientFault,
  requestFault,
  type AuthorizationRequest,
  type Client,
} from './request.ts'
import { absence, formBytes, routeDefaults } from './route-defaults.ts'

const shared = {
  ...routeDefaults,
  path: '/identity/authorize',
  embedded: true,
} as const

const responses = {
  200: streamed('text/html', 'The page.'),
  303: empty('Back to the console.'),
  400: streamed('text/html', 'The page, with what is wrong.'),
} as const

type Deps = Pick<ApiDeps, 'db' | 'config'>

/** Routes of the sign-in page and its form. */
export function authorizeRoutes(deps: Deps, client: Client): Route[] {
  return [show(deps, client), submit(deps, client)]
}

function show({ config }: Deps, client: Client): Route {
  return route({
    ...shared,
    method: 'GET',
    summary: 'Show the sign-in page',
    description: `The authorization endpoint of the embedded issuer: code with PKCE. ${absence}`,
    bodyLimit: 0,
    query: authorizationQuery,
    responses,
    errors: ['invalid_request', 'misdirected_request'],
    handle: async ({ query: { login_hint: hint, ...sent }, headers }) => {
      const refused = createRefusal(sent, client)
      if (refused !== undefined) return refused
      const { token, email } = readCookie(headers['cookie'])
      return createPage(200, client, signInPage({ sent, isOpen: opens(config, token), email: hint ?? email }))
    },
  })
}

function submit({ db, config }: Deps, client: Client): Route {
  return route({
    ...shared,
    method: 'POST',
    summary: 'Sign in',
    description: `The form of the page. ${absence}`,
    bodyLimit: formBytes,
    streamedBody: 'application/x-www-form-urlencoded',
    responses,
    errors: ['invalid_request', 'forbidden', 'misdirected_request', 'payload_too_large', 'unsupported_media_type'],
    handle: async ({ takeBody, headers }) => {
      const form = await takeForm(takeBody, formBytes)
      const sent: AuthorizationRequest = Object.fromEntries(
        authorizationFields.map((name) => [name, form.get(name) ?? undefined]),
      )
      const refused = createRefusal(sent, client)
      if (refused !== undefined) return refused
      const remembered = readCookie(headers['cookie']).token
      const isOpen = opens(config, remembered)
      const token = isOpen ? remembered : (form.get('development_token') ?? '')
      const given = form.get('email') ?? ''
      const again = (field: 'email' | 'token', text: string) =>
        createPage(400, client, signInPage({ sent, isOpen, email: given, fault: { field, text } }))
      if (!opens(config, token)) return again('token', 'This is not the development token of this deployment.')
      const email = normalizeEmail(given)
      if (email === undefined) return again('email', 'This is not an email address.')
      const code = await insertSignIn(db, {
        ...client,
        codeChallenge: sent.code_challenge ?? '',
        nonce: sent.nonce ?? null,
        email,
      })
      return {
        status: 303,
        headers: {
          location: addressBack(sent, { code, iss: config.baseUrl }),
          'set-cookie': formatCookie({ token, email }),
          'referrer-policy': 'no-referrer',
        },
      }
    },
  })
}

function opens({ SERVER_SECRET: secret = '' }: Deps['config'], token: string): boolean {
  return isDevelopmentToken(secret, token)
}

/** Returns an error page for an unknown client, and an error redirect for an invalid request of a known one. */
function createRefusal(sent: AuthorizationRequest, client: Client) {
  const clientError = clientFault(sent, client)
  if (clientError !== undefined) return createPage(400, client, refusalPage(clientError))
  const fault = requestFault(sent)
  return fault && ({ status: 303, headers: { location: addressBack(sent, fault) } } as const)
}

function createPage<S extends 200 | 400>(status: S, { redirectUri }: Client, body: string) {
  return { status, headers: embeddedPageHeaders({ formTargets: [new URL(redirectUri).origin] }), body } as const
}
