import type { Db } from './client.ts'

/** The account or organization whose workspace this repository is, if `accountId` is it or a member of it. */
export const findRepositoryOwner = async (
  db: Db,
  { owner, name, accountId }: { owner: string; name: string; accountId: string },
): Promise<string | undefined> => {
  const [row] = await db<{ ownerId: string }[]>`
    select owner_id as "ownerId" from workspace_repositories
    where repo_owner = ${owner} and repo_name = ${name} and (owner_id = ${accountId} or exists (
      select 1 from account_organization_ids
      where account_organization_ids.account_id = ${accountId} and organization_id = owner_id and state = 'member'
    ))`
  return row?.ownerId
}
