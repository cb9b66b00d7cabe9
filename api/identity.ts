import { z } from 'zod'
import { email } from '../domain/emails.ts'
import type { ApiDeps } from './deps.ts'
import { kibibytes, route } from './route.ts'
import type { Route } from './route.ts'

const common = {
  tag: 'Identity',
  description: 'The embedded issuer. Development only: absent in production mode and with an outside issuer.',
  auth: 'none',
  ownership: 'Shows no rows; anyone gets a token for any address.',
  envelope: 'e2',
  bodyLimit: kibibytes(16),
  rate: 'none',
} as const

/** The embedded issuer's routes: none when an outside issuer signs the tokens. */
export const identityRoutes = ({ issuer }: ApiDeps): Route[] =>
  issuer === undefined
    ? []
    : [
        route({
          ...common,
          method: 'GET',
          path: '/identity/jwks.json',
          summary: 'Public keys of the embedded issuer',
          responses: { 200: z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }) },
          errors: [],
          handle: async () => ({
            status: 200,
            body: { keys: issuer.keySet.keys.map((key) => ({ ...key, kty: String(key.kty) })) },
          }),
        }),
        route({
          ...common,
          method: 'POST',
          path: '/identity/token',
          summary: 'A bearer token for an email address',
          body: z.object({ email }),
          responses: {
            200: z.object({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int() }),
          },
          errors: ['invalid_request'],
          handle: async ({ body }) => ({
            status: 200,
            body: {
              access_token: await issuer.issue(body.email),
              token_type: 'Bearer',
              expires_in: issuer.lifetimeSeconds,
            },
          }),
        }),
      ]
