import type { JSONWebKeySet } from 'jose'

/** The email address that a bearer token identifies, normalized, and the expiry of the token. */
export type Identity = { email: string; subject: string; expiresAt: Date }

/** Verifies bearer tokens. */
export type IdentityPort = {
  /** Undefined for an invalid token. Throws `IdentityUnavailableError` when the keys of the issuer are unavailable. */
  verify(token: string): Promise<Identity | undefined>
}

/** Creates bearer tokens: the embedded issuer, for development. */
export type TokenIssuer = {
  readonly keySet: JSONWebKeySet
  /** Creates a token that is valid for `lifetimeSeconds`. */
  issue(email: string): Promise<string>
  /** Creates an id token for a client that signs a person in. It contains the client's id and nonce. */
  issueFor(email: string, client: { clientId: string; nonce: string | null }): Promise<string>
  readonly lifetimeSeconds: number
}

export class IdentityUnavailableError extends Error {
  override readonly name = 'IdentityUnavailableError'
}
