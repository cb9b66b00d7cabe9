import { z } from 'zod'
import { email } from '../../domain/mail/addresses.ts'
import { isDevelopmentToken } from '../../providers/identity/development-token.ts'
import type { TokenIssuer } from '../../providers/identity/index.ts'
import { ApiError } from '../http/errors.ts'
import { kibibytes, route, type Route } from '../http/route.ts'
import type { RouteDeps } from '../deps.ts'

export type IssuerDeps = RouteDeps & {
  /** The embedded issuer, for development without an external one. */
  issuer?: TokenIssuer | undefined
}

const routeDefaults = {
  tag: { name: 'Identity', description: 'The embedded issuer of bearer tokens.' },
  description: 'The embedded issuer. Absent with an external issuer.',
  auth: 'none',
  ownership: 'Anyone with the development token can get a token for any email address.',
  envelope: 'standard',
  bodyLimit: kibibytes(16),
  rate: 'none',
  embedded: true,
} as const

/** Routes of the embedded issuer; none when an external issuer signs the tokens. */
export function identityRoutes({ issuer, config }: IssuerDeps): Route[] {
  return issuer === undefined
    ? []
    : [
        route({
          ...routeDefaults,
          method: 'GET',
          path: '/identity/jwks.json',
          summary: 'Read the public keys of the embedded issuer',
          responses: { 200: z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }) },
          errors: ['misdirected_request'],
          handle: async () => ({
            status: 200,
            body: { keys: issuer.keySet.keys.map((key) => ({ ...key, kty: String(key.kty) })) },
          }),
        }),
        route({
          ...routeDefaults,
          method: 'POST',
          path: '/identity/token',
          summary: 'Create a bearer token for an email address',
          description: `${routeDefaults.description} \`npm start\` prints the development token and stores it in data/local.json.`,
          example: { email: 'ada@example.com', development_token: 'printed by npm start' },
          body: z.object({ email, development_token: z.string() }),
          responses: {
            200: z.object({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int() }),
          },
          errors: ['forbidden', 'misdirected_request'],
          authorize: ({ body }) =>
            isDevelopmentToken(config.SERVER_SECRET ?? '', body.development_token)
              ? Promise.resolve()
              : Promise.reject(new ApiError('forbidden', 'development_token is wrong')),
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
}
