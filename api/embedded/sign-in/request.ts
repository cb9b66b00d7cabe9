import { z } from 'zod'

/** Parameters of an authorization request; the form of the page repeats them. */
export const authorizationFields = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
] as const
type Field = (typeof authorizationFields)[number]

const maxField = 2000
const field = z.string().max(maxField).optional()

export const authorizationQuery = z.object({
  client_id: field,
  redirect_uri: field,
  response_type: field,
  scope: field,
  state: field,
  nonce: field,
  code_challenge: field,
  code_challenge_method: field,
  login_hint: field,
})
export type AuthorizationRequest = { [name in Field]?: string | undefined }

export type Client = { clientId: string; redirectUri: string }

/** Returns why the browser must not be redirected to the client; undefined when it may. */
export function findClientError(request: AuthorizationRequest, { clientId, redirectUri }: Client): string | undefined {
  if (request.client_id !== clientId) return 'The client_id is not the client id of the console.'
  if (request.redirect_uri !== redirectUri) return `The redirect_uri is not ${redirectUri}.`
  return undefined
}

type AuthorizationError = { error: string; error_description: string }

/** Returns the error for a request that does not use the authorization code flow with PKCE. */
export function findRequestError(request: AuthorizationRequest): AuthorizationError | undefined {
  if (request.response_type !== 'code')
    return { error: 'unsupported_response_type', error_description: 'response_type must be code' }
  if (!(request.scope ?? '').split(' ').includes('openid'))
    return { error: 'invalid_scope', error_description: 'scope must include openid' }
  if (request.code_challenge_method !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(request.code_challenge ?? ''))
    return { error: 'invalid_request', error_description: 'PKCE with S256 is required' }
  return undefined
}

/** Returns the redirect URI of the client with the response parameters. */
export function buildRedirectUrl(request: AuthorizationRequest, parameters: Record<string, string>): string {
  const url = new URL(request.redirect_uri ?? '')
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  if (request.state !== undefined) url.searchParams.set('state', request.state)
  return url.href
}
