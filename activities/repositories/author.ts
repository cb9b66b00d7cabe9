import { findAuthor } from '../../db/sandboxes/sandboxes.ts'
import type { DbDeps } from '../deps.ts'

/**
 * Returns the commit author of an account. Without an email address, the author gets a no-reply address at the host of
 * `url`.
 */
export async function resolveAuthor(
  { db }: DbDeps,
  accountId: string,
  url: string,
): Promise<{ name: string; email: string }> {
  const { name, email } = await findAuthor(db, accountId)
  return {
    name: name?.trim() || accountId.slice(0, 8),
    email: email ?? `${accountId}@users.noreply.${new URL(url).hostname}`,
  }
}
