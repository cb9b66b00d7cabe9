import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../postgres/client.ts'

/** What a code is bound to. `codeChallenge` is the S256 challenge of the PKCE verifier. */
type CodeBinding = { clientId: string; redirectUri: string; codeChallenge: string }

/** The person who signed in, and the nonce of the client. */
export type SignIn = { email: string; nonce: string | null }

const lifetimeSeconds = 60

/** Creates a code for one exchange. Only its hash is stored. */
export async function insertSignIn(db: Db, signIn: CodeBinding & SignIn): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  await db`
    insert into sign_in_codes (code_hash, client_id, redirect_uri, code_challenge, nonce, email, expires_at)
    values (${hashCode(code)}, ${signIn.clientId}, ${signIn.redirectUri}, ${signIn.codeChallenge}, ${signIn.nonce},
      ${signIn.email}, now() + make_interval(secs => ${lifetimeSeconds}))`
  return code
}

/**
 * Consumes a code, even if the exchange is invalid. Returns its sign-in; undefined for an unknown, used or expired code and for
 * another binding.
 */
export async function consumeSignIn(db: Db, code: string, binding: CodeBinding): Promise<SignIn | undefined> {
  const { clientId, redirectUri, codeChallenge } = binding
  const [signIn] = await db<(SignIn & { valid: boolean })[]>`
    delete from sign_in_codes where code_hash = ${hashCode(code)}
    returning email, nonce, expires_at > now() and client_id = ${clientId} and redirect_uri = ${redirectUri}
      and code_challenge = ${codeChallenge} as valid`
  return signIn?.valid === true ? signIn : undefined
}

export async function deleteExpiredSignIns(db: Db): Promise<void> {
  await db`delete from sign_in_codes where expires_at < now()`
}

function hashCode(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
