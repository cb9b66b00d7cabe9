/** Who a bearer token speaks for. The email is normalized. */
export type Identity = { email: string; subject: string }

/** Checks bearer tokens. */
export type IdentityPort = {
  /** Undefined when the token is not valid; throws `IdentityUnavailable` when the provider cannot be asked. */
  verify(token: string): Promise<Identity | undefined>
}

export class IdentityUnavailable extends Error {
  override readonly name = 'IdentityUnavailable'
}
