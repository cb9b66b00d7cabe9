import type { SessionRow } from '../../domain/sessions/sessions.ts'
import type { Db } from '../postgres/client.ts'
import { isMember } from '../organizations/organizations.ts'

/**
 * Returns the owner of the workspace with this repository. Undefined unless `accountId` is the owner or a member of the
 * owning organization.
 */
export async function findRepositoryOwner(
  db: Db,
  { owner, name, accountId }: { owner: string; name: string; accountId: string },
): Promise<string | undefined> {
  const [row] = await db<{ ownerId: string }[]>`
    select owner_id from workspace_repositories
    where repo_owner = ${owner} and repo_name = ${name} and (owner_id = ${accountId} or exists (
      select 1 from account_organization_ids
      where account_organization_ids.account_id = ${accountId} and organization_id = owner_id and state = 'member'
    ))`
  return row?.ownerId
}

/**
 * Returns whether a session's account may use the session's repository, which belongs to the account or to one of its
 * organizations.
 */
export async function mayUseRepository(
  db: Db,
  { ownerId, organizationId }: Pick<SessionRow, 'ownerId' | 'organizationId'>,
): Promise<boolean> {
  return organizationId === null || organizationId === ownerId || (await isMember(db, ownerId, organizationId))
}
