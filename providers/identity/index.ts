import type { JWK } from 'jose'

/** Content of a verified bearer token. The email address is normalized. */
export type Identity = { email: string; subject: string; expiresAt: Date }

/** Verifies bearer tokens. */
export type IdentityPort = {
  /** Returns undefined for an invalid token. Throws `IdentityUnavailableError` if the keys of the issuer are unavailable. */
  verify(token: string): Promise<Identity | undefined>
}

/** The embedded issuer of bearer tokens, for development. */
export type TokenIssuer = {
  readonly keySet: { keys: (JWK & { kty: 'OKP' })[] }
  /** Issues a token that is valid for `lifetimeSeconds`; with `client`, an ID token for it. */
  issue(email: string, client?: { clientId: string; nonce: string | null }): Promise<string>
  readonly lifetimeSeconds: number
}

export class IdentityUnavailableError extends Error {
  override readonly name = 'IdentityUnavailableError'
}
