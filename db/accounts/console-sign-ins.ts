import { createHmac, randomBytes } from 'node:crypto'
import type { Db, Pool } from '../postgres/client.ts'

/**
 * For this time after a rotation, the previous token stays valid and the new token is not rotated. Tabs that load
 * concurrently, and browsers that lost a response, present the previous token. They must not appear as token theft.
 */
const graceSeconds = 60

/** `token`: the text of the cookie, `<family>.<secret>`. */
export type ConsoleSignIn = { id: string; accountId: string; token: string; expiresAt: Date }

export type SignInRow = { id: string; userAgent: string; createdAt: Date; lastUsed: Date; expiresAt: Date }

type NewSignIn = { accountId: string; userAgent: string; days: number }

export async function insertConsoleSignIn(
  db: Db,
  serverSecret: string,
  { accountId, userAgent, days }: NewSignIn,
): Promise<ConsoleSignIn> {
  const family = randomBytes(16).toString('base64url')
  const secret = randomBytes(32).toString('base64url')
  const [row] = await db<Omit<ConsoleSignIn, 'token'>[]>`
    insert into console_sign_ins (account_id, family_hash, token_hash, user_agent, expires_at)
    values (${accountId}, ${hash(serverSecret, family)}, ${hash(serverSecret, secret)}, ${userAgent},
      now() + make_interval(days => ${days}))
    returning id, account_id, expires_at`
  if (row === undefined) throw new Error('an inserted sign-in was not returned')
  return { ...row, token: `${family}.${secret}` }
}

type RotationResult =
  | { is: 'live'; signIn: ConsoleSignIn }
  | { is: 'unknown' }
  /** A token was presented after its grace period, which indicates theft. The sign-in is deleted. */
  | { is: 'reused'; id: string; accountId: string }

type Family = Omit<ConsoleSignIn, 'token'> & {
  tokenHash: string
  previousHash: string | null
  isFresh: boolean
}

/**
 * Returns the token to present next. A token older than the grace period is rotated: its successor is derived from it, so
 * that repeated calls within the grace period return the same token. Any other token of the family deletes the sign-in.
 */
export function rotateConsoleSignIn(db: Pool, serverSecret: string, token: string): Promise<RotationResult> {
  const [family = '', secret = ''] = token.split('.')
  const presentedHash = hash(serverSecret, secret)
  return db.begin(async (tx): Promise<RotationResult> => {
    const [row] = await tx<Family[]>`
      select id, account_id, expires_at, token_hash, previous_hash,
        rotated_at > now() - make_interval(secs => ${graceSeconds}) as is_fresh
      from console_sign_ins where family_hash = ${hash(serverSecret, family)} and expires_at > now() for update`
    if (row === undefined) return { is: 'unknown' }
    const { id, accountId, expiresAt, isFresh } = row
    const toLiveResult = (next: string): RotationResult => ({
      is: 'live',
      signIn: { id, accountId, expiresAt, token: `${family}.${next}` },
    })
    const successor = deriveNext(serverSecret, secret)
    if (row.tokenHash === presentedHash && isFresh) {
      await tx`update console_sign_ins set last_used = now() where id = ${id}`
      return toLiveResult(secret)
    }
    if (row.tokenHash === presentedHash) {
      await tx`
        update console_sign_ins set token_hash = ${hash(serverSecret, successor)}, previous_hash = ${presentedHash},
          rotated_at = now(), last_used = now()
        where id = ${id}`
      return toLiveResult(successor)
    }
    if (row.previousHash === presentedHash && isFresh) return toLiveResult(successor)
    await tx`delete from console_sign_ins where id = ${id}`
    return { is: 'reused', id, accountId }
  })
}

/** Returns the account id of a sign-in; undefined if the sign-in was deleted or has expired. */
export async function findSignInAccount(db: Db, id: string): Promise<string | undefined> {
  const [row] = await db<{ accountId: string }[]>`
    select account_id from console_sign_ins where id = ${id} and expires_at > now()`
  return row?.accountId
}

/** Returns the ids of the sign-ins that are neither deleted nor expired. */
export async function listLiveSignIns(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select id from console_sign_ins where id = any(${[...ids]}::uuid[]) and expires_at > now()`
  return new Set(rows.map(({ id }) => id))
}

export function listConsoleSignIns(
  db: Db,
  accountId: string,
  page: { limit: number; offset: number },
): Promise<SignInRow[]> {
  return db<SignInRow[]>`
    select id, user_agent, created_at, last_used, expires_at
    from console_sign_ins where account_id = ${accountId} and expires_at > now()
    order by created_at desc, id limit ${page.limit} offset ${page.offset}`
}

/** Deletes a sign-in of the account. Returns false if it does not exist. */
export async function deleteConsoleSignIn(db: Db, accountId: string, id: string): Promise<boolean> {
  const deleted = await db`delete from console_sign_ins where id = ${id} and account_id = ${accountId}`
  return deleted.count === 1
}

/** Deletes the sign-in of a token. A rotated token also deletes its sign-in. Safe to repeat. */
export async function deleteSignInOfToken(db: Db, serverSecret: string, token: string): Promise<void> {
  const [family = ''] = token.split('.')
  await db`delete from console_sign_ins where family_hash = ${hash(serverSecret, family)}`
}

export async function deleteExpiredConsoleSignIns(db: Db): Promise<void> {
  await db`delete from console_sign_ins where expires_at <= now()`
}

function hash(serverSecret: string, text: string): string {
  return createHmac('sha256', serverSecret).update(`console sign-in ${text}`).digest('hex')
}

/** Derives the secret of the next token. Requires the server secret. */
function deriveNext(serverSecret: string, secret: string): string {
  return createHmac('sha256', serverSecret).update(`next console sign-in ${secret}`).digest('base64url')
}
