import type { JSONWebKeySet } from 'jose'

/** Who a bearer token speaks for, and until when. The email is normalized. */
export type Identity = { email: string; subject: string; expiresAt: Date }

/** Checks bearer tokens. */
export type IdentityPort = {
  /** Undefined when the token is not valid; throws `IdentityUnavailable` when the provider cannot be asked. */
  verify(token: string): Promise<Identity | undefined>
}

/** Makes bearer tokens: the embedded issuer, for development. */
export type TokenIssuer = {
  readonly keySet: JSONWebKeySet
  /** A token that lives `lifetimeSeconds`. */
  issue(email: string): Promise<string>
  /** The same for a client that signs a person in: the token contains the client's id and nonce. */
  issueFor(email: string, client: { clientId: string; nonce: string | null }): Promise<string>
  readonly lifetimeSeconds: number
}

export class IdentityUnavailable extends Error {
  override readonly name = 'IdentityUnavailable'
}
