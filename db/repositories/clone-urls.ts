import type { Pool } from '../postgres/client.ts'

const columns = [
  ['sessions', 'clone_url'],
  ['workspace_repositories', 'clone_url'],
  ['base_snapshots', 'clone_url'],
  ['account_snapshots', 'github_repo'],
] as const

const path = '/git/([^/]+/[^/]+)$'

/**
 * Replaces the prefix of stored clone URLs that start with an earlier BASE_URL. Safe to run again. `prefix`: the current
 * prefix, which ends in `/git/`.
 */
export async function updateCloneUrls(db: Pool, prefix: string): Promise<void> {
  for (const [table, column] of columns)
    await db`
      update ${db(table)} set ${db(column)} = ${prefix} || substring(${db(column)} from ${path})
      where not starts_with(${db(column)}, ${prefix}) and ${db(column)} ~ ${path}`
}
