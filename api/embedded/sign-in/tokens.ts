import { createHash } from 'node:crypto'
import { z } from 'zod'
import { consumeSignIn } from '../../../db/accounts/sign-ins.ts'
import { email } from '../../../domain/mail/addresses.ts'
import { isDevelopmentToken } from '../../../providers/identity/development-token.ts'
import type { TokenIssuer } from '../../../providers/identity/index.ts'
import { readForm } from '../../http/body/form.ts'
import { ApiError } from '../../http/errors.ts'
import { route, ok, type Route } from '../../http/route.ts'
import type { RouteDeps } from '../../deps.ts'
import { maxFormBytes, routeDefaults, type Client } from './route-defaults.ts'

const tokenResponse = z.object({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int() })

const errorDescriptions = {
  unsupported_grant_type: 'grant_type must be authorization_code',
  invalid_client: 'client_id is not the client id of the console',
  invalid_request: 'code, redirect_uri and code_verifier are required, each once',
  invalid_grant: 'The code is unknown, used or expired, or was issued for another client, redirect_uri or verifier',
} as const
type TokenError = keyof typeof errorDescriptions

/** Routes that issue tokens: for the development token, and for the code of a sign-in. */
export function tokenRoutes({ db, config }: RouteDeps, issuer: TokenIssuer, { clientId }: Client): Route[] {
  const token = { token_type: 'Bearer', expires_in: issuer.lifetimeSeconds } as const
  return [
    route({
      ...routeDefaults,
      method: 'POST',
      path: '/identity/token',
      summary: 'Create a bearer token for an email address',
      description: '`npm start` prints the development token and stores it in data/local.json.',
      bodyLimit: maxFormBytes,
      rate: 'none',
      embedded: true,
      example: { email: 'ada@example.com', development_token: 'printed by npm start' },
      body: z.object({ email, development_token: z.string() }),
      responses: { 200: tokenResponse },
      errors: ['forbidden', 'misdirected_request'],
      authorize: async ({ body }) => {
        if (!isDevelopmentToken(config.SERVER_SECRET ?? '', body.development_token))
          throw new ApiError('forbidden', 'development_token is wrong')
      },
      handle: async ({ body }) => ok({ ...token, access_token: await issuer.issue(body.email) }),
    }),
    // Needs only the code and its verifier, so any web page may call it.
    route({
      ...routeDefaults,
      method: 'POST',
      path: '/identity/oauth/token',
      summary: 'Exchange a code for tokens',
      description: 'The token endpoint of the embedded issuer. A code works once, for 60 seconds.',
      ownership: 'Anyone with the code and its verifier can get tokens for the address that signed in.',
      bodyLimit: maxFormBytes,
      streamedBody: 'application/x-www-form-urlencoded',
      responses: {
        200: tokenResponse.extend({ id_token: z.string(), scope: z.string() }),
        400: z.object({ error: z.enum(Object.keys(errorDescriptions) as TokenError[]), error_description: z.string() }),
      },
      errors: ['payload_too_large', 'unsupported_media_type'],
      handle: async ({ readBody }) => {
        const form = await readForm(readBody, maxFormBytes)
        const { code = '', redirect_uri: redirectUri = '', code_verifier: verifier = '' } = Object.fromEntries(form)
        const isRepeated = form.size > new Set(form.keys()).size
        if (form.get('grant_type') !== 'authorization_code') return reject('unsupported_grant_type')
        if (form.get('client_id') !== clientId) return reject('invalid_client')
        if ([code, redirectUri, verifier].includes('') || isRepeated) return reject('invalid_request')
        const codeChallenge = createHash('sha256').update(verifier).digest('base64url')
        const signIn = await consumeSignIn(db, code, { clientId, redirectUri, codeChallenge })
        if (signIn === undefined) return reject('invalid_grant')
        const tokens = {
          access_token: await issuer.issue(signIn.email),
          id_token: await issuer.issue(signIn.email, { clientId, nonce: signIn.nonce }),
        }
        return ok({ ...token, ...tokens, scope: 'openid email profile' })
      },
    }),
  ]
}

function reject(error: TokenError) {
  return { status: 400, body: { error, error_description: errorDescriptions[error] } } as const
}
