import { z } from 'zod'
import type { TokenIssuer } from '../../../providers/identity/index.ts'
import { route, type Route } from '../../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

/** Routes with which clients find the endpoints and the keys of the issuer. */
export function discoveryRoutes(issuerUrl: string, { keySet }: TokenIssuer): Route[] {
  const metadata = {
    issuer: issuerUrl,
    authorization_endpoint: `${issuerUrl}/identity/authorize`,
    token_endpoint: `${issuerUrl}/identity/oauth/token`,
    jwks_uri: `${issuerUrl}/identity/jwks.json`,
    scopes_supported: ['openid', 'email', 'profile'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['EdDSA'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    claims_supported: ['iss', 'aud', 'azp', 'sub', 'exp', 'iat', 'nonce', 'email', 'email_verified'],
    authorization_response_iss_parameter_supported: true,
  }
  return [
    route({
      ...routeDefaults,
      method: 'GET',
      path: '/.well-known/openid-configuration',
      summary: 'Read the discovery document of the embedded issuer',
      description: 'OpenID Connect Discovery 1.0.',
      ownership: 'Returns no account data.',
      bodyLimit: 0,
      responses: { 200: z.record(z.string(), z.union([z.string(), z.array(z.string()), z.boolean()])) },
      handle: async () => ({ status: 200, body: metadata }),
    }),
    route({
      ...routeDefaults,
      method: 'GET',
      path: '/identity/jwks.json',
      summary: 'Read the public keys of the embedded issuer',
      ownership: 'Returns no account data.',
      bodyLimit: 0,
      rate: 'none',
      embedded: true,
      responses: { 200: z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }) },
      errors: ['misdirected_request'],
      handle: async () => ({ status: 200, body: keySet }),
    }),
  ]
}
