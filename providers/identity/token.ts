import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import type { Identity } from './index.ts'

const algorithms = ['RS256', 'ES256', 'EdDSA']
const leewaySeconds = 60

export type TokenRules = {
  issuer: string
  /** Required audience. Default: the issuer. */
  audience?: string | undefined
  /** Accepts tokens without the claim `email_verified`. Default: they are refused. */
  assumeVerified?: boolean | undefined
}

/** Verifies a token. Undefined for an invalid one. Throws when the keys are unavailable. */
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
    if (isVerdict(error)) return undefined
    throw error
  }
}

const verdicts = [
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
  // Some issuers send the claim as text.
  if (verified !== true && verified !== 'true') return undefined
  const email = typeof payload['email'] === 'string' ? normalizeEmail(payload['email']) : undefined
  if (email === undefined || payload.exp === undefined) return undefined
  return { email, subject: payload.sub ?? email, expiresAt: new Date(payload.exp * 1000) }
}

/** True for an error that means the token is invalid, and not that it could not be checked. */
export function isVerdict(error: unknown): boolean {
  return verdicts.some((verdict) => error instanceof verdict)
}
