import { z } from 'zod'
import type { Config } from '../../../config.ts'
import { route, type Route } from '../../http/route.ts'
import { externalIssuerNote, routeDefaults } from './route-defaults.ts'

const texts = z.array(z.string())

export function discoveryRoute({ baseUrl }: Config): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/.well-known/openid-configuration',
    summary: 'Read the discovery document of the embedded issuer',
    description: `OpenID Connect Discovery 1.0. ${externalIssuerNote}`,
    ownership: 'Returns no account data.',
    bodyLimit: 0,
    responses: {
      200: z.object({
        issuer: z.string(),
        authorization_endpoint: z.string(),
        token_endpoint: z.string(),
        jwks_uri: z.string(),
        scopes_supported: texts,
        response_types_supported: texts,
        response_modes_supported: texts,
        grant_types_supported: texts,
        subject_types_supported: texts,
        id_token_signing_alg_values_supported: texts,
        token_endpoint_auth_methods_supported: texts,
        code_challenge_methods_supported: texts,
        claims_supported: texts,
        authorization_response_iss_parameter_supported: z.boolean(),
      }),
    },
    handle: async () => ({
      status: 200,
      body: {
        issuer: baseUrl,
        authorization_endpoint: `${baseUrl}/identity/authorize`,
        token_endpoint: `${baseUrl}/identity/oauth/token`,
        jwks_uri: `${baseUrl}/identity/jwks.json`,
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
      },
    }),
  })
}
