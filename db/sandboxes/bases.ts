import type { Db } from '../postgres/client.ts'

/** Identifies the bases of a repository for a driver. */
export type BaseKey = { cloneUrl: string; sandboxType: string }
export type BaseSnapshot = { snapshotId: string; commit: string; createdAt: Date }

/** Maximum number of bases per repository. */
const maxBases = 5

/** Returns the bases of a repository, latest first. */
export function listBases(db: Db, { cloneUrl, sandboxType }: BaseKey): Promise<BaseSnapshot[]> {
  return db<BaseSnapshot[]>`
    select snapshot_id, commit, created_at from base_snapshots
    where clone_url = ${cloneUrl} and sandbox_type = ${sandboxType}
    order by created_at desc, snapshot_id limit ${maxBases}`
}

/** Returns the snapshot ids of the bases that newer bases have replaced. */
export async function listReplacedBases(db: Db, { cloneUrl, sandboxType }: BaseKey): Promise<string[]> {
  const rows = await db<{ snapshotId: string }[]>`
    select snapshot_id from base_snapshots
    where clone_url = ${cloneUrl} and sandbox_type = ${sandboxType}
    order by created_at desc, snapshot_id offset ${maxBases}`
  return rows.map(({ snapshotId }) => snapshotId)
}

export async function insertBase(
  db: Db,
  {
    cloneUrl,
    sandboxType,
    snapshotId,
    commit,
    sizeBytes,
  }: BaseKey & Omit<BaseSnapshot, 'createdAt'> & { sizeBytes: number },
): Promise<void> {
  await db`
    insert into base_snapshots (snapshot_id, sandbox_type, clone_url, commit, size_bytes)
    values (${snapshotId}, ${sandboxType}, ${cloneUrl}, ${commit}, ${sizeBytes})
    on conflict (snapshot_id) do nothing`
}

/** Deletes a base if it exists. */
export async function deleteBase(db: Db, snapshotId: string): Promise<void> {
  await db`delete from base_snapshots where snapshot_id = ${snapshotId}`
}
