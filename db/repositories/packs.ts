import type { PackKey, StoredPack } from '../../domain/repositories/stored.ts'
import type { Db, Pool } from '../postgres/client.ts'

/** Records a pack before its upload. */
export async function reservePack(
  db: Db,
  repositoryId: string,
  { id, sha256, packBytes, indexBytes }: StoredPack,
): Promise<void> {
  await db`
    insert into git_packs (id, repository_id, sha256, pack_bytes, index_bytes, state)
    values (${id}, ${repositoryId}, ${sha256}, ${packBytes}, ${indexBytes}, 'uploading')
    on conflict (id) do nothing`
}

/**
 * Replaces packs in one transaction, under the lock of the repository's row. Returns false, without any change, unless all
 * replaced packs are live.
 */
export function replacePacks(
  db: Pool,
  repositoryId: string,
  { replaced, replacement }: { replaced: string[]; replacement: string },
): Promise<boolean> {
  return db.begin(async (tx) => {
    const [repository] = await tx`select 1 from git_repositories where id = ${repositoryId} for update`
    const [{ live } = { live: 0 }] = await tx<{ live: number }[]>`
      select count(*)::int as live from git_packs where id = any(${replaced}::uuid[]) and state = 'live'`
    if (repository === undefined || live !== replaced.length) return false
    await tx`
      update git_packs set state = case id when ${replacement} then 'live' else 'unreferenced' end, state_at = now()
      where id = any(${[...replaced, replacement]}::uuid[])`
    await tx`
      update git_repositories set packs = (
        select count(*) from git_packs where repository_id = ${repositoryId} and state = 'live')
      where id = ${repositoryId}`
    return true
  })
}

/**
 * Claims unreferenced packs for deletion. The caller deletes the stored object of a pack before its row. Packs claimed by a
 * process that died are claimed again.
 */
export function claimGarbage(db: Db, { graceMs, limit }: { graceMs: number; limit: number }): Promise<PackKey[]> {
  return db<PackKey[]>`
    update git_packs set state = 'deleting'
    where id in (
      select id from git_packs
      where state <> 'live' and state_at < now() - make_interval(secs => ${graceMs / 1000}::float8)
      order by state_at limit ${limit} for update skip locked)
    returning id, repository_id, sha256`
}

export async function deletePacks(db: Db, packs: PackKey[]): Promise<void> {
  await db`delete from git_packs where state = 'deleting' and id = any(${packs.map(({ id }) => id)}::uuid[])`
}
