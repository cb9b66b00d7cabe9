import { mergeTexts, type ArtistRow, type ArtistTexts, type SharedArtist } from '../../domain/artists/artists.ts'
import { cutToBytes, maxPageBytes, type Page } from '../../domain/fields/pages.ts'
import type { Db } from '../postgres/client.ts'
import type { LimitedPage } from '../postgres/pages.ts'
import { listArtistSocials } from './socials.ts'

/** Selects the artists and texts to read: those that the account can see or, with `organizationId`, only the organization's. */
export type ArtistView = { accountId: string; organizationId?: string | undefined }

/** SQL for the ids of the account and of every organization that it is a member of. */
export function ownerSet(db: Db, accountId: string) {
  return db`
  select ${accountId}::uuid union
  select organization_id from account_organization_ids where account_id = ${accountId} and state = 'member'`
}

type SharedRow = SharedArtist & { pinned: boolean }

export async function listArtists(
  db: Db,
  view: ArtistView,
  page: Page,
): Promise<LimitedPage<ArtistRow> & { count: number }> {
  const [artists, count] = await Promise.all([listArtistSizes(db, view, page), countArtists(db, view)])
  const pageIds = cutToBytes(artists, maxPageBytes).map(({ id }) => id)
  const rows = await listArtistsById(db, view, pageIds)
  return { rows, count, ...(pageIds.length < artists.length && { nextOffset: page.offset + pageIds.length }) }
}

export async function readArtist(db: Db, view: ArtistView, artistId: string): Promise<ArtistRow> {
  const [artist] = await listArtistsById(db, view, [artistId])
  if (artist === undefined) throw new Error('the artist was deleted while it was read')
  return artist
}

/** Returns the artist's name in this view; null for an artist without a name. */
export async function readArtistName(db: Db, view: ArtistView, artistId: string): Promise<string | null> {
  const { texts, shared } = await readArtist(db, view, artistId)
  return mergeTexts(texts, shared).name?.trim() || null
}

/** Returns artists with the size of their texts in bytes: pinned artists first, then by their name in the view. */
function listArtistSizes(db: Db, view: ArtistView, { limit, offset }: Page): Promise<{ id: string; bytes: number }[]> {
  return db<{ id: string; bytes: number }[]>`
    with visible as (${selectVisibleTexts(db, view)})
    select artist.id, (
      select coalesce(sum(coalesce(octet_length(instruction), 0) + coalesce(octet_length(knowledges::text), 0)), 0)::int from visible
      where artist_id = artist.id
    ) as bytes
    from accounts artist
    left join account_artist_ids roster on roster.artist_id = artist.id and roster.account_id = ${view.accountId}
    left join lateral (
      select name from visible where artist_id = artist.id and name is not null order by since, workspace_id limit 1
    ) as text on true
    where artist.id in (${selectArtistIds(db, view)}) and artist.kind = 'artist'
    order by coalesce(roster.pinned, false) desc, lower(coalesce(text.name, artist.name)), artist.id
    limit ${limit} offset ${offset}`
}

/**
 * SQL for the texts of a view. The column `since` defines their precedence: the account's texts, then the texts of the
 * organizations in its owner set to which the artist is attached, oldest attachment first.
 */
function selectVisibleTexts(db: Db, { accountId, organizationId }: ArtistView) {
  return organizationId === undefined
    ? db`
      select artist_id, workspace_id, name, image, instruction, label, knowledges, '-infinity'::timestamptz as since
      from artist_workspace_texts where workspace_id = ${accountId}
      union all
      select texts.artist_id, texts.workspace_id, texts.name, texts.image, texts.instruction, texts.label,
        texts.knowledges, attached.created_at
      from artist_organization_ids attached
      join artist_workspace_texts texts
        on texts.artist_id = attached.artist_id and texts.workspace_id = attached.organization_id
      where attached.organization_id in (${ownerSet(db, accountId)}) and attached.organization_id <> ${accountId}`
    : db`
      select artist_id, workspace_id, name, image, instruction, label, knowledges, '-infinity'::timestamptz as since
      from artist_workspace_texts where workspace_id = ${organizationId}`
}

/** SQL for the ids of the account's roster or, with an organization, of the artists attached to it. */
function selectArtistIds(db: Db, { accountId, organizationId }: ArtistView) {
  return organizationId === undefined
    ? db`select artist_id from account_artist_ids where account_id = ${accountId}`
    : db`select artist_id from artist_organization_ids where organization_id = ${organizationId}`
}

async function countArtists(db: Db, view: ArtistView): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*) from accounts artist where artist.id in (${selectArtistIds(db, view)}) and artist.kind = 'artist'`
  return row.count
}

/** Returns the artists in this view, in the order of the ids. Omits unknown ids. */
async function listArtistsById(db: Db, view: ArtistView, ids: string[]): Promise<ArtistRow[]> {
  const [shared, texts, attachments, socials] = await Promise.all([
    listShared(db, view.accountId, ids),
    listTexts(db, view, ids),
    listAttachments(db, view.accountId, ids),
    listArtistSocials(db, ids),
  ])
  const rows = new Map(
    shared.map(({ pinned, ...row }): [string, ArtistRow] => [
      row.id,
      { shared: row, pinned, texts: [], organizationIds: [], socials: [] },
    ]),
  )
  for (const { artistId, ...text } of texts) rows.get(artistId)?.texts.push(text)
  for (const { artistId, organizationId } of attachments) rows.get(artistId)?.organizationIds.push(organizationId)
  for (const { artistId, ...social } of socials) rows.get(artistId)?.socials.push(social)
  return ids.flatMap((id) => rows.get(id) ?? [])
}

function listShared(db: Db, accountId: string, ids: string[]): Promise<SharedRow[]> {
  return db<SharedRow[]>`
  select artist.id, artist.name, info.image, artist.created_at, artist.updated_at,
    coalesce(roster.pinned, false) as pinned
  from accounts artist
  left join account_info info on info.account_id = artist.id
  left join account_artist_ids roster on roster.artist_id = artist.id and roster.account_id = ${accountId}
  where artist.id = any(${ids}::uuid[]) and artist.kind = 'artist'`
}

function listTexts(db: Db, view: ArtistView, ids: string[]) {
  return db<(ArtistTexts & { artistId: string })[]>`
  select artist_id, name, image, instruction, label, knowledges
  from (${selectVisibleTexts(db, view)}) as visible
  where artist_id = any(${ids}::uuid[]) order by since, workspace_id`
}

function listAttachments(db: Db, accountId: string, ids: string[]) {
  return db<{ artistId: string; organizationId: string }[]>`
  select artist_id, organization_id from artist_organization_ids
  where artist_id = any(${ids}::uuid[]) and organization_id in (${ownerSet(db, accountId)})
  order by created_at, organization_id`
}
