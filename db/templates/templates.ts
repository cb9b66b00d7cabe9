import type { NewTemplate, TemplateChanges } from '../../domain/templates/request.ts'
import type { Tx } from '../postgres/client.ts'

/** Inserts a template and returns its id. */
export async function insertTemplate(tx: Tx, creator: string, template: NewTemplate): Promise<string> {
  const { title, description, prompt, tags, is_private: isPrivate } = template
  const [row] = await tx<[{ id: string }]>`
    insert into agent_templates (title, description, prompt, tags, creator, is_private)
    values (${title}, ${description}, ${prompt}, ${tags}::text[], ${creator}, ${isPrivate}) returning id`
  if (isPrivate) await replaceShares(tx, row.id, template.share_emails)
  return row.id
}

/** Locks the template until the transaction ends. Undefined for an unknown id. */
export async function lockTemplate(tx: Tx, id: string): Promise<{ creator: string | null } | undefined> {
  const [row] = await tx<{ creator: string | null }[]>`
    select creator from agent_templates where id = ${id} for no key update`
  return row
}

/** Updates the fields of `changes`. The sharing list changes only if the template is private after the update. */
export async function updateTemplate(tx: Tx, id: string, changes: TemplateChanges): Promise<void> {
  const { title, description, prompt, tags, is_private: isPrivate, share_emails: emails } = changes
  const [row] = await tx<[{ isPrivate: boolean }]>`
    update agent_templates set
      title = coalesce(${title ?? null}, title), description = coalesce(${description ?? null}, description),
      prompt = coalesce(${prompt ?? null}, prompt), tags = coalesce(${tags ?? null}::text[], tags),
      is_private = coalesce(${isPrivate ?? null}, is_private), updated_at = now()
    where id = ${id} returning is_private`
  if (row.isPrivate && emails !== undefined) await replaceShares(tx, id, emails)
}

export async function deleteTemplate(tx: Tx, id: string): Promise<void> {
  await tx`delete from agent_templates where id = ${id}`
}

/** Adds or removes a favorite. Safe to repeat, because the number of favorites is derived from the rows. */
export async function setFavorite(tx: Tx, id: string, accountId: string, isFavorite: boolean): Promise<void> {
  if (isFavorite)
    await tx`
      insert into agent_template_favorites (template_id, account_id) values (${id}, ${accountId}) on conflict do nothing`
  else await tx`delete from agent_template_favorites where template_id = ${id} and account_id = ${accountId}`
}

async function replaceShares(tx: Tx, id: string, emails: readonly string[]): Promise<void> {
  await tx`delete from agent_template_shares where template_id = ${id}`
  await tx`
    insert into agent_template_shares (template_id, email, position)
    select ${id}, email, position from unnest(${[...emails]}::text[]) with ordinality as given (email, position)`
}
