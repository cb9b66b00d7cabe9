import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import type { Identity } from './index.ts'

const algorithms = ['RS256', 'ES256', 'EdDSA']
const leewaySeconds = 60

export type TokenRules = {
  issuer: string
  /** Required audience. Default: the issuer. */
  audience?: string | undefined
  /** Accepts tokens without the claim `email_verified`. Default: false. */
  assumeVerified?: boolean | undefined
}

/** Verifies a token. Returns undefined for an invalid token. Throws if the keys are unavailable. */
export async function verifyToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience = issuer, assumeVerified = false }: TokenRules,
): Promise<Identity | undefined> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms,
      issuer,
      audience,
      requiredClaims: ['exp'],
      clockTolerance: leewaySeconds,
    })
    return toIdentity(payload, assumeVerified)
  } catch (error) {
    if (isInvalidTokenError(error)) return undefined
    throw error
  }
}

const invalidTokenErrors = [
  errors.JWSInvalid,
  errors.JWTInvalid,
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JWEInvalid,
]

function toIdentity(payload: JWTPayload, assumeVerified: boolean): Identity | undefined {
  const { email_verified: verified = assumeVerified } = payload
  // Some issuers send the claim as a string.
  if (verified !== true && verified !== 'true') return undefined
  const email = typeof payload['email'] === 'string' ? normalizeEmail(payload['email']) : undefined
  if (email === undefined || payload.exp === undefined) return undefined
  return { email, subject: payload.sub ?? email, expiresAt: new Date(payload.exp * 1000) }
}

/** True if the error means that the token is invalid; false if the token could not be checked. */
export function isInvalidTokenError(error: unknown): boolean {
  return invalidTokenErrors.some((type) => error instanceof type)
}
