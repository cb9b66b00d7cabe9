import { findAccountSnapshot } from '../../../db/sandboxes/snapshots.ts'
import type { RepositoryName } from '../../../providers/code-host/index.ts'
import type { HostDeps } from '../../deps.ts'

/** Returns the recorded source repository of the account; undefined if none is recorded. */
export async function findSource({ db, codeHost }: HostDeps, accountId: string): Promise<RepositoryName | undefined> {
  const url = (await findAccountSnapshot(db, accountId))?.githubRepo ?? null
  return url === null ? undefined : codeHost.parseCloneUrl(url)
}
