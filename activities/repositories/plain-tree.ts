import { findSyncedCommit } from '../../db/turns/commit.ts'
import type { SessionRow } from '../../domain/sessions/sessions.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import type { HostDeps } from '../deps.ts'
import { createSessionHost } from './access.ts'
import type { GitlessTree } from './plain.ts'

/** Returns the files of a session whose sandbox has no git; undefined if they are not from a repository of the code host. */
export async function readGitlessTree(
  { db, codeHost }: HostDeps,
  session: SessionRow,
  sandbox: Sandbox,
): Promise<GitlessTree | undefined> {
  const repository = codeHost.parseCloneUrl(session.cloneUrl ?? '')
  const sourceBase = session.sandboxState?.source?.baseCommit
  const base = (await findSyncedCommit(db, session.id, sourceBase)) ?? sourceBase
  if (repository === undefined || base === undefined) return undefined
  return { codeHost: createSessionHost({ db, codeHost }, session), repository, sandbox, base }
}
