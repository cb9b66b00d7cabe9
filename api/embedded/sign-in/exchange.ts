import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { consumeSignIn, type SignIn } from '../../../db/accounts/sign-ins.ts'
import type { Pool } from '../../../db/postgres/client.ts'
import type { TokenIssuer } from '../../../providers/identity/index.ts'
import { readForm } from '../../http/body/form.ts'
import { route, type Route } from '../../http/route.ts'
import type { Client } from './request.ts'
import { externalIssuerNote, maxFormBytes, routeDefaults } from './route-defaults.ts'

const errorDescriptions = {
  unsupported_grant_type: 'grant_type must be authorization_code',
  invalid_client: 'client_id is not the client id of the console',
  invalid_request: 'code, redirect_uri and code_verifier are required, each once',
  invalid_grant: 'The code is unknown, used or expired, or was issued for another client, redirect_uri or verifier',
} as const

type TokenErrorCode = keyof typeof errorDescriptions

/**
 * Token endpoint: exchanges a code for tokens. A code can be used once. The route needs only the code and its verifier, so any
 * web page may call it.
 */
export function exchangeRoute({ db, issuer }: { db: Pool; issuer: TokenIssuer }, client: Client): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/identity/oauth/token',
    summary: 'Exchange a code for tokens',
    description: `The token endpoint of the embedded issuer. A code works once, for 60 seconds. ${externalIssuerNote}`,
    ownership: 'Anyone with the code and its verifier can get tokens for the address that signed in.',
    bodyLimit: maxFormBytes,
    streamedBody: 'application/x-www-form-urlencoded',
    responses: {
      200: z.object({
        access_token: z.string(),
        id_token: z.string(),
        token_type: z.literal('Bearer'),
        expires_in: z.int(),
        scope: z.string(),
      }),
      400: z.object({
        error: z.enum(['unsupported_grant_type', 'invalid_client', 'invalid_request', 'invalid_grant']),
        error_description: z.string(),
      }),
    },
    errors: ['payload_too_large', 'unsupported_media_type'],
    handle: async ({ readBody }) => {
      const form = await readForm(readBody, maxFormBytes)
      if (form.get('grant_type') !== 'authorization_code') return tokenError('unsupported_grant_type')
      if (form.get('client_id') !== client.clientId) return tokenError('invalid_client')
      const [code, redirectUri, verifier] = ['code', 'redirect_uri', 'code_verifier'].map((name) =>
        readSingle(form, name),
      )
      if (code === undefined || redirectUri === undefined || verifier === undefined)
        return tokenError('invalid_request')
      const signIn = await consumeSignIn(db, code)
      if (signIn === undefined || !isIssuedFor(signIn, client, { redirectUri, verifier }))
        return tokenError('invalid_grant')
      const { email, nonce } = signIn
      return {
        status: 200,
        body: {
          access_token: await issuer.issue(email),
          id_token: await issuer.issueIdToken(email, { clientId: client.clientId, nonce }),
          token_type: 'Bearer',
          expires_in: issuer.lifetimeSeconds,
          scope: 'openid email profile',
        },
      }
    },
  })
}

function readSingle(form: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = form.getAll(name)
  return value === undefined || value === '' || more.length > 0 ? undefined : value
}

function isIssuedFor(
  signIn: SignIn,
  { clientId }: Client,
  { redirectUri, verifier }: { redirectUri: string; verifier: string },
): boolean {
  const challenge = createHash('sha256').update(verifier).digest()
  const expected = Buffer.from(signIn.codeChallenge, 'base64url')
  return (
    signIn.clientId === clientId &&
    signIn.redirectUri === redirectUri &&
    expected.length === challenge.length &&
    timingSafeEqual(expected, challenge)
  )
}

function tokenError(error: TokenErrorCode) {
  return { status: 400, body: { error, error_description: errorDescriptions[error] } } as const
}
