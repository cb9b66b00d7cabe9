import type { Catalog, CatalogItem } from '../../domain/catalogs/catalogs.ts'
import type { ValuedSums } from '../../domain/valuation/sums.ts'
import type { Page } from '../../domain/fields/pages.ts'
import { ownerSet } from '../artists/artists.ts'
import { selectEarliestRelease, selectLatest } from '../measurements/latest.ts'
import type { Db, Tx } from '../postgres/client.ts'

/** SQL for the ids of the catalogs that have an owner in the account's owner set. */
export function selectVisibleCatalogIds(db: Db, accountId: string) {
  return db`
  select catalog_id from account_catalogs where account_id in (${ownerSet(db, accountId)})`
}

/** A catalog with the sums from which its valuation is derived. */
export type CatalogSums = Omit<CatalogItem, 'valuation'> & ValuedSums

/** Returns the catalogs that the account can see, latest first. Reads at most `offset + limit` catalogs of each owner. */
export function listCatalogs(db: Db, accountId: string, { limit, offset }: Page): Promise<CatalogSums[]> {
  return readSums(
    db,
    db`
      select catalogs.* from (
        select distinct catalog_created_at, catalog_id from (${ownerSet(db, accountId)}) as owner (id)
        cross join lateral (
          select catalog_created_at, catalog_id from account_catalogs where account_id = owner.id
          order by catalog_created_at desc, catalog_id limit ${offset + limit}
        ) as link
        order by catalog_created_at desc, catalog_id limit ${limit} offset ${offset}
      ) as latest join catalogs on catalogs.id = latest.catalog_id`,
    db`account_id in (${ownerSet(db, accountId)})`,
  )
}

/** Returns a catalog with its first owner, organizations before persons; undefined for an unknown id. */
export async function findCatalogSums(db: Db, catalogId: string): Promise<CatalogSums | undefined> {
  const [catalog] = await readSums(db, db`select * from catalogs where id = ${catalogId}`, db`true`)
  return catalog
}

/** Returns the catalogs of `page` with their sums, each with the first owner that satisfies `ownerCondition`. */
async function readSums(db: Db, page: ReturnType<Db>, ownerCondition: ReturnType<Db>): Promise<CatalogSums[]> {
  const rows = await db<(Omit<CatalogSums, 'totalStreams'> & { totalStreams: string })[]>`
    with page as materialized (${page})
    select ${columns(db)}, coalesce(sums."songCount", 0) as "songCount",
      coalesce(sums."measuredSongCount", 0) as "measuredSongCount", coalesce(sums."totalStreams", '0') as "totalStreams",
      ${selectEarliestRelease(db, db`catalog.id`)} as "earliestRelease", owner.value as owner
    from page as catalog
    left join (${selectSums(db, db`select id from page`)}) as sums on sums."catalogId" = catalog.id
    cross join lateral (
      select json_build_object('id', owner.id, 'name', owner.name, 'image', info.image,
        'isOrganization', owner.kind = 'organization') as value
      from (select * from account_catalogs where ${ownerCondition}) link join accounts owner on owner.id = link.account_id
      left join account_info info on info.account_id = owner.id
      where link.catalog_id = catalog.id
      order by owner.kind = 'organization' desc, link.created_at, owner.id limit 1
    ) as owner
    order by catalog.created_at desc, catalog.id`
  return rows.map((row) => ({ ...row, totalStreams: BigInt(row.totalStreams) }))
}

/** Returns the sums of a catalog, which must exist. */
export async function readCatalogSums(db: Db, catalogId: string): Promise<ValuedSums> {
  const [row] = await db<{ measuredSongCount: number; totalStreams: string; earliestRelease: string | null }[]>`
    select coalesce(sums."measuredSongCount", 0) as "measuredSongCount",
      coalesce(sums."totalStreams", '0') as "totalStreams", ${selectEarliestRelease(db, db`catalog.id`)} as "earliestRelease"
    from catalogs catalog left join (${selectSums(db, db`${catalogId}::uuid`)}) as sums on true
    where catalog.id = ${catalogId}`
  if (row === undefined) throw new Error(`catalog ${catalogId} does not exist`)
  return { ...row, totalStreams: BigInt(row.totalStreams) }
}

export async function countCatalogs(db: Db, accountId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(distinct catalog_id) from (${selectVisibleCatalogIds(db, accountId)}) as visible`
  return row.count
}

/** Returns the catalogs with these ids that exist, and whether the account can see them. */
export function findCatalogs(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<(Catalog & { isVisible: boolean })[]> {
  return db<(Catalog & { isVisible: boolean })[]>`
    select ${columns(db)}, catalog.id in (${selectVisibleCatalogIds(db, accountId)}) as "isVisible"
    from catalogs catalog where catalog.id = any(${[...ids]}::uuid[])`
}

export async function findCatalog(db: Db, id: string): Promise<Catalog | undefined> {
  const [catalog] = await db<Catalog[]>`select ${columns(db)} from catalogs catalog where id = ${id}`
  return catalog
}

export async function insertCatalog(tx: Tx, { name, ownerId }: { name: string; ownerId: string }): Promise<Catalog> {
  const [catalog] = await tx<[Catalog]>`
    insert into catalogs as catalog (name) values (${name}) returning ${columns(tx)}`
  await tx`insert into account_catalogs (account_id, catalog_id) values (${ownerId}, ${catalog.id})`
  return catalog
}

/** Renames a catalog. Undefined when it was deleted concurrently. */
export async function renameCatalog(db: Db, id: string, name: string): Promise<Catalog | undefined> {
  const [catalog] = await db<Catalog[]>`
    update catalogs catalog set name = ${name} where id = ${id} returning ${columns(db)}`
  return catalog
}

/**
 * Deletes the catalog with its song links, owners and history. Returns the ids of the snapshots that can be claimed
 * again.
 */
export async function deleteCatalog(tx: Tx, id: string): Promise<string[]> {
  const releasedSnapshots = await tx<{ id: string }[]>`
    update playcount_snapshots set catalog_id = null where catalog_id = ${id} returning id`
  await tx`delete from catalogs where id = ${id}`
  return releasedSnapshots.map((snapshot) => snapshot.id).sort()
}

function columns(db: Db) {
  return db`catalog.id, catalog.name, catalog.created_at as "createdAt", catalog.updated_at as "updatedAt"`
}

/** SQL for the sums of these catalogs. A catalog without songs has no row. */
function selectSums(db: Db, catalogIds: ReturnType<Db>) {
  return db`
  select song.catalog_id as "catalogId", count(*)::int as "songCount", count(latest.value)::int as "measuredSongCount",
    sum(latest.value)::text as "totalStreams"
  from catalog_songs song left join lateral (${selectLatest(db)}) latest on true
  where song.catalog_id in (${catalogIds}) group by song.catalog_id`
}
