import type { Db, Tx } from '../postgres/client.ts'

/** An account's source repository and its latest snapshot. Each is null until it exists. */
export type AccountSnapshot = {
  accountId: string
  snapshotId: string | null
  /** The background run that took the snapshot. */
  takenBy: string | null
  expiresAt: Date | null
  githubRepo: string | null
  createdAt: Date
}

export async function findAccountSnapshot(db: Db, accountId: string): Promise<AccountSnapshot | undefined> {
  const [record] = await db<AccountSnapshot[]>`
    select ${columns(db)} from account_snapshots where account_id = ${accountId}`
  return record
}

/** Records the source repository. An existing repository does not change. */
export async function recordSourceRepository(db: Db, accountId: string, githubRepo: string): Promise<void> {
  await db`
    insert into account_snapshots (account_id, github_repo) values (${accountId}, ${githubRepo})
    on conflict (account_id) do update set github_repo = coalesce(account_snapshots.github_repo, excluded.github_repo)`
}

/** Records a new snapshot. Returns the id of the snapshot that it replaces. */
export async function replaceSnapshot(
  tx: Tx,
  accountId: string,
  { snapshotId, takenBy, lifetimeMs }: { snapshotId: string; takenBy: string; lifetimeMs: number },
): Promise<string | null> {
  const [previous] = await tx<{ snapshotId: string | null }[]>`
    select snapshot_id from account_snapshots where account_id = ${accountId} for update`
  await tx`
    update account_snapshots set snapshot_id = ${snapshotId}, taken_by = ${takenBy},
      expires_at = now() + make_interval(secs => ${lifetimeMs / 1000}::float8)
    where account_id = ${accountId}`
  return previous?.snapshotId ?? null
}

export async function deleteAccountSnapshot(db: Db, accountId: string): Promise<void> {
  await db`delete from account_snapshots where account_id = ${accountId}`
}

/** Returns whether this is the workspace repository of the account or of one of its organizations. */
export async function canReachWorkspace(
  db: Db,
  accountId: string,
  { owner, name }: { owner: string; name: string },
): Promise<boolean> {
  const [row] = await db`
    select 1 from workspace_repositories w
    where w.repo_owner = ${owner} and w.repo_name = ${name} and (
      w.owner_id = ${accountId} or exists (
        select 1 from account_organization_ids m
        where m.account_id = ${accountId} and m.organization_id = w.owner_id and m.state = 'member'
      )
    )`
  return row !== undefined
}

/** Returns whether the repository is the workspace of any account. */
export async function isWorkspace(db: Db, { owner, name }: { owner: string; name: string }): Promise<boolean> {
  const [row] = await db`select 1 from workspace_repositories where repo_owner = ${owner} and repo_name = ${name}`
  return row !== undefined
}

/** Returns the organizations of the account, oldest membership first. */
export async function listAccountOrganizations(db: Db, accountId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select organization_id as id from account_organization_ids
    where account_id = ${accountId} and state = 'member' order by created_at, organization_id`
  return rows.map(({ id }) => id)
}

function columns(db: Db) {
  return db`account_id, snapshot_id, taken_by, expires_at, github_repo, created_at`
}
