import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../postgres/client.ts'

/** State of a sign-in until its code is exchanged. */
export type SignIn = {
  clientId: string
  redirectUri: string
  /** S256 challenge of the PKCE verifier. */
  codeChallenge: string
  nonce: string | null
  email: string
}

const lifetimeSeconds = 60

/** Creates a code for one exchange. Only its hash is stored. */
export async function insertSignIn(db: Db, signIn: SignIn): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  await db`
    insert into sign_in_codes (code_hash, client_id, redirect_uri, code_challenge, nonce, email, expires_at)
    values (${hashCode(code)}, ${signIn.clientId}, ${signIn.redirectUri}, ${signIn.codeChallenge}, ${signIn.nonce},
      ${signIn.email}, now() + make_interval(secs => ${lifetimeSeconds}))`
  return code
}

/**
 * Consumes a code and returns its sign-in, even if the exchange fails later. Undefined for an unknown, used or expired
 * code.
 */
export async function consumeSignIn(db: Db, code: string): Promise<SignIn | undefined> {
  const [signIn] = await db<(SignIn & { live: boolean })[]>`
    delete from sign_in_codes where code_hash = ${hashCode(code)}
    returning client_id, redirect_uri, code_challenge, nonce, email, expires_at > now() as live`
  return signIn?.live === true ? signIn : undefined
}

export async function deleteExpiredSignIns(db: Db): Promise<void> {
  await db`delete from sign_in_codes where expires_at < now()`
}

function hashCode(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
