import type { ArtistTexts } from '../../domain/artists/artists.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { ownerSet, type ArtistView } from './artists.ts'

/**
 * Returns the workspace to which a request about an artist writes. In order of precedence: the organization of the request,
 * the account if the artist is on its roster, or the organization of the account's owner set to which the artist was
 * attached first.
 */
export async function findWorkspaceId(db: Db, view: ArtistView, artistId: string): Promise<string> {
  if (view.organizationId !== undefined) return view.organizationId
  const [row] = await db<{ workspaceId: string }[]>`
    select id as workspace_id from (
      select account_id as id, '-infinity'::timestamptz as since from account_artist_ids
      where account_id = ${view.accountId} and artist_id = ${artistId}
      union all
      select organization_id, created_at from artist_organization_ids
      where artist_id = ${artistId} and organization_id in (${ownerSet(db, view.accountId)})
    ) as workspace
    order by since, id limit 1`
  // Only an admin can access an artist that is neither on the roster nor attached; the texts then belong to the admin's
  // account.
  return row?.workspaceId ?? view.accountId
}

export type TextKey = { workspaceId: string; artistId: string }

/** Updates the texts in `changes`; other texts keep their values. */
export async function writeTexts(
  tx: Tx,
  { workspaceId, artistId }: TextKey,
  changes: Partial<ArtistTexts>,
): Promise<void> {
  const { name, image, instruction, label, knowledges } = changes
  const set = (column: string, value: string | null | undefined) =>
    value === undefined ? tx`${tx(column)}` : tx`${value}`
  await tx`
    insert into artist_workspace_texts (workspace_id, artist_id) values (${workspaceId}, ${artistId})
    on conflict (workspace_id, artist_id) do nothing`
  await tx`
    update artist_workspace_texts set
      name = ${set('name', name)}, image = ${set('image', image)}, instruction = ${set('instruction', instruction)},
      label = ${set('label', label)},
      knowledges = ${knowledges === undefined ? tx`knowledges` : tx`${JSON.stringify(knowledges)}::text::jsonb`}
    where workspace_id = ${workspaceId} and artist_id = ${artistId}`
}

/** Deletes the texts of a workspace about an artist, unless the artist is attached to it. */
export async function deleteTexts(tx: Tx, { workspaceId, artistId }: TextKey): Promise<void> {
  await tx`
    delete from artist_workspace_texts where workspace_id = ${workspaceId} and artist_id = ${artistId}
      and not exists (
        select 1 from artist_organization_ids where organization_id = ${workspaceId} and artist_id = ${artistId}
      )`
}
