import type { RepositoryLedger, StoredPack, StoredRepository } from '../../domain/repositories/stored.ts'
import type { Pool } from '../postgres/client.ts'
import { claimGarbage, deletePacks, replacePacks, reservePack } from './packs.ts'

/** Stores the refs and packs of repositories for the code host `store`. */
export function createRepositoryLedger(db: Pool): RepositoryLedger {
  return {
    find: async ({ owner, name }) => {
      const [row] = await db<StoredRepository[]>`
        select id, refs, coalesce((
          select jsonb_agg(jsonb_build_object(
            'id', id, 'sha256', sha256, 'packBytes', pack_bytes, 'indexBytes', index_bytes) order by state_at, id)
          from git_packs where repository_id = git_repositories.id and state = 'live'), '[]') as packs
        from git_repositories where owner = ${owner} and name = ${name}`
      return row
    },
    reserve: (repositoryId, pack) => reservePack(db, repositoryId, pack),
    create: async ({ id, owner, name, refs, packs }) => {
      const [row] = await db`
        with made as (
          insert into git_repositories (id, owner, name, refs, packs)
          values (${id}, ${owner}, ${name}, ${JSON.stringify(refs)}::text::jsonb, ${packs.length})
          on conflict (owner, name) do nothing returning id
        ), used as (
          update git_packs set state = 'live', state_at = now()
          where exists (select from made) and id = any(${listIds(packs)}::uuid[])
        )
        select id from made`
      return row !== undefined
    },
    commit: async (repositoryId, { changes, packs, maxBytes }) => {
      const selectRefs = (matches: (change: (typeof changes)[number]) => boolean) =>
        changes.filter(matches).map(({ ref }) => ref)
      const expectedRefs = changes.flatMap(({ ref, from }) => (from === null ? [] : [[ref, from]]))
      const newRefs = changes.flatMap(({ ref, to }) => (to === null ? [] : [[ref, to]]))
      const createdRefs = selectRefs(({ from }) => from === null)
      const deletedRefs = selectRefs(({ to }) => to === null)
      const ids = listIds(packs)
      // Postgres evaluates the conditions on the row again after a wait for a concurrent push.
      const [row] = await db`
        with moved as (
          update git_repositories set
            refs = (refs - ${deletedRefs}::text[]) || ${toJson(newRefs)}::text::jsonb, packs = packs + ${packs.length}
          where id = ${repositoryId}
            and refs @> ${toJson(expectedRefs)}::text::jsonb and not refs ?| ${createdRefs}::text[]
            and not exists (
              select 1 from jsonb_object_keys(refs - ${deletedRefs}::text[]) kept, unnest(${createdRefs}::text[]) made_ref
              where starts_with(kept, made_ref || '/') or starts_with(made_ref, kept || '/'))
            and (${maxBytes}::bigint = 0 or ${maxBytes}::bigint >= (
              select coalesce(sum(pack_bytes + index_bytes), 0) from git_packs
              where repository_id = ${repositoryId} and (state = 'live' or id = any(${ids}::uuid[]))))
            and ${packs.length} = (
              select count(*) from git_packs
              where id = any(${ids}::uuid[]) and state = 'uploading' and state_at > now() - interval '12 hours')
          returning id
        ), used as (
          update git_packs set state = 'live', state_at = now()
          where exists (select from moved) and id = any(${ids}::uuid[])
        )
        select id from moved`
      return row !== undefined
    },
    replacePacks: (repositoryId, replaced, replacement) =>
      replacePacks(db, repositoryId, { replaced: listIds(replaced), replacement: replacement.id }),
    remove: async ({ owner, name }) => {
      await db`delete from git_repositories where owner = ${owner} and name = ${name}`
    },
    listFragmented: (minPacks, limit) => db`
      select owner, name from git_repositories
      where packs >= 16 and packs >= ${minPacks} order by packs desc, id limit ${limit}`,
    claimGarbage: (options) => claimGarbage(db, options),
    forget: (packs) => deletePacks(db, packs),
  }
}

function listIds(packs: StoredPack[]): string[] {
  return packs.map(({ id }) => id)
}

function toJson(entries: (string | null)[][]): string {
  return JSON.stringify(Object.fromEntries(entries))
}
