import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Db, Tx } from '../postgres/client.ts'

export type Verification = { email: string; codeHash: string }

/** Returns the stored form of a code: hex of the HMAC-SHA256 of `<email>:<code>` under the server secret. */
export function hashCode(serverSecret: string, email: string, code: string): string {
  return createHmac('sha256', serverSecret).update(`${email}:${code}`).digest('hex')
}

/** Stores a code, which replaces an earlier code, and resets the attempts. The hourly attempts of the address do not change. */
export async function storeCode(tx: Tx, { email, codeHash }: Verification, lifeHours: number): Promise<void> {
  await tx`
    insert into email_verifications (email, code_hash, expires_at)
    values (${email}, ${codeHash}, now() + make_interval(hours => ${lifeHours}))
    on conflict (email) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at, attempts = 0`
}

/** Hash of the valid code, or the seconds until the next attempt is allowed. Undefined when the address has no code. */
export type ClaimedAttempt = { codeHash: string } | { lockedSeconds: number } | undefined

type AttemptState = { isLocked: boolean; codeSeconds: number; hourSeconds: number }

/**
 * Counts an attempt of an address before the comparison, so that concurrent guesses share the limit. The hourly limit
 * counts the attempts with all codes of the address; 0 disables it.
 */
export async function claimAttempt(db: Db, email: string, hourlyAttempts: number): Promise<ClaimedAttempt> {
  const [claimed] = await db<{ codeHash: string }[]>`
    update email_verifications set attempts = attempts + 1,
      window_attempts = case when window_start > now() - interval '1 hour' then window_attempts + 1 else 1 end,
      window_start = case when window_start > now() - interval '1 hour' then window_start else now() end
    where email = ${email} and expires_at > now() and attempts < 5 and (
      ${hourlyAttempts} = 0 or window_start <= now() - interval '1 hour' or window_attempts < ${hourlyAttempts}
    )
    returning code_hash`
  if (claimed !== undefined) return claimed
  const [row] = await db<AttemptState[]>`
    select attempts >= 5 as is_locked, ceil(extract(epoch from expires_at - now()))::int as code_seconds,
      ceil(extract(epoch from window_start + interval '1 hour' - now()))::int as hour_seconds
    from email_verifications where email = ${email} and expires_at > now()`
  if (row === undefined) return undefined
  return { lockedSeconds: Math.max(1, row.isLocked ? row.codeSeconds : row.hourSeconds) }
}

/** Compares two hex hashes in constant time. */
export function isSameHash(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')]
  return first.length === second.length && timingSafeEqual(first, second)
}

/** Consumes a code. Returns false when it was used or replaced concurrently. */
export async function deleteCode(tx: Tx, { email, codeHash }: Verification): Promise<boolean> {
  const deleted = await tx`delete from email_verifications where email = ${email} and code_hash = ${codeHash}`
  return deleted.count === 1
}

/** Deletes expired codes whose hourly attempt window has ended. */
export async function deleteExpiredCodes(db: Db): Promise<void> {
  await db`
    delete from email_verifications where expires_at <= now() and window_start <= now() - interval '1 hour'`
}
