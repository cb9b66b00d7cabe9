import type { Template } from '../../domain/templates/template.ts'
import type { Page } from '../../domain/fields/pages.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { readPage, type LimitedPage } from '../postgres/pages.ts'

/** An account that views templates, and the admins of the platform. */
export type Viewer = {
  accountId: string
  admins: { organizationId: string | undefined; accountIds: readonly string[] }
}

/** Returns the visible templates, by title and then by id, and their total number. */
export async function listTemplates(
  db: Db,
  viewer: Viewer,
  { limit, offset }: Page,
): Promise<LimitedPage<Template> & { count: number }> {
  const { accountId } = viewer
  // Three disjoint sets. Each is read in index order, up to the end of the page.
  const sets = [
    db`not is_private`,
    db`is_private and creator = ${accountId}`,
    db`is_private and creator is distinct from ${accountId} and id in (${selectSharedIds(db, accountId)})`,
  ]
  const pages = sets.map(
    (set, index) => db`
    ${index === 0 ? db`` : db`union all`}
    (select id, title from agent_templates where ${set} order by ${titleOrder(db)} limit ${limit + offset})`,
  )
  const [[total], page] = await Promise.all([
    db<[{ count: number }]>`
      select (
        (select count from public_template_count)
        + (select count(*) from agent_templates where ${sets[1] ?? db`false`})
        + (select count(*) from agent_templates where ${sets[2] ?? db`false`})
      )::int as count`,
    readPage<Template>(
      db,
      db`
      select ${templateColumns(db, viewer)} from agent_templates template
      where id in (select id from (${pages}) as visible order by ${titleOrder(db)} limit ${limit} offset ${offset})
      order by ${titleOrder(db)}`,
      offset,
    ),
  ])
  return { ...page, count: total.count }
}

/** Returns a template, even if the viewer cannot see it. Undefined for an unknown id. */
export async function findTemplate(
  db: Db | Tx,
  viewer: Viewer,
  id: string,
): Promise<(Template & { isVisible: boolean }) | undefined> {
  const [row] = await db<(Template & { isVisible: boolean })[]>`
    select ${templateColumns(db, viewer)}, ${isVisible(db, viewer.accountId)} as is_visible
    from agent_templates template where id = ${id}`
  return row
}

/** SQL condition for a visible template: owned, public, or shared with an address of the account. */
function isVisible(db: Db | Tx, accountId: string) {
  return db`(
    template.creator = ${accountId} or not template.is_private or template.id in (${selectSharedIds(db, accountId)})
  )`
}

function selectSharedIds(db: Db | Tx, accountId: string) {
  return db`
    select share.template_id from agent_template_shares share join account_emails own on own.email = share.email
    where own.account_id = ${accountId}`
}

function titleOrder(db: Db | Tx) {
  return db`title collate "und-x-icu", id`
}

function templateColumns(db: Db | Tx, { accountId, admins }: Viewer) {
  return db`
    template.id, title, description, prompt, to_json(tags) as tags, is_private, favorites_count, template.created_at,
    template.updated_at,
    (
      select json_build_object('id', account.id, 'name', account.name, 'image', info.image, 'isAdmin',
        account.id::text = any(${[...admins.accountIds]}::text[]) or exists (
          select from account_organization_ids membership where membership.account_id = account.id
            and membership.organization_id = ${admins.organizationId ?? null}::uuid and membership.state = 'member'
        ))
      from accounts account left join account_info info on info.account_id = account.id
      where account.id = template.creator
    ) as creator,
    exists (
      select from agent_template_favorites favorite
      where favorite.template_id = template.id and favorite.account_id = ${accountId}
    ) as is_favorite,
    (
      select coalesce(json_agg(email order by position), '[]') from agent_template_shares share
      where share.template_id = template.id and template.is_private and template.creator = ${accountId}
    ) as shared_emails`
}
