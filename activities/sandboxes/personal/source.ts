import { findAccountSnapshot } from '../../../db/sandboxes/snapshots.ts'
import type { RepositoryName } from '../../../providers/code-host/index.ts'
import type { ActivityDeps } from '../../deps.ts'

/** The repository that the account's record names; undefined without one. */
export async function sourceOf(
  { db, codeHost }: Pick<ActivityDeps, 'db' | 'codeHost'>,
  accountId: string,
): Promise<RepositoryName | undefined> {
  const url = (await findAccountSnapshot(db, accountId))?.githubRepo ?? null
  return url === null ? undefined : codeHost.repositoryOf(url)
}
