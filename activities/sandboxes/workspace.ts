import { saveWorkspace } from '../../db/sandboxes/sandboxes.ts'
import { findWorkspace, type Workspace } from '../../db/sessions/sessions.ts'
import type { HostDeps } from '../deps.ts'

/**
 * Returns the workspace repository of an account or organization. Creates it if it is missing or belongs to another code host,
 * which CODE_HOST selected earlier.
 */
export async function ensureWorkspace({ db, codeHost }: HostDeps, ownerId: string): Promise<Workspace> {
  const existing = await findWorkspace(db, ownerId)
  if (existing !== undefined && codeHost.parseCloneUrl(existing.cloneUrl) !== undefined) return existing
  const { owner, name, cloneUrl } = await codeHost.ensureRepository(ownerId)
  const workspace = { repoOwner: owner, repoName: name, cloneUrl }
  await saveWorkspace(db, ownerId, workspace)
  return workspace
}

export function createWorkspaceActivities(deps: HostDeps) {
  return {
    /** Creates the workspace repository of an owner. Safe to run again: an existing repository is reused. */
    ensureWorkspace: async ({ ownerId }: { ownerId: string }): Promise<void> => {
      await ensureWorkspace(deps, ownerId)
    },
  }
}
