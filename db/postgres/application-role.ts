import type { Db, Pool, Tx } from './client.ts'
import { migrationLock } from '../migrate.ts'

/** URLs of one database with different roles. `ownerUrl`: migrates the schema. `applicationUrl`: for the API and workers. */
export type DatabaseUrls = { ownerUrl: string; applicationUrl: string }

type ApplicationRole = { name: string; password: string }

/** Tables that the application may only insert into and read. */
const appendOnly = new Set([
  'audit_log',
  'credit_ledger',
  'payment_events',
  'project_task_comments',
  'song_measurements',
  'usage_events',
])
const readOnly = new Set(['schema_migrations'])

/**
 * Grants the application role its privileges on the current schema and revokes all other privileges. Creates the role if it
 * is missing. The owner of the tables calls this after each migration.
 */
export async function grantApplication(owner: Pool, urls: DatabaseUrls): Promise<void> {
  const role = applicationRole(urls)
  if (role === undefined) return
  await owner.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${migrationLock})`
    await createRole(tx, role)
    await grantAll(tx, role.name)
  })
}

export type RoleState = { role: string; isSuperuser: boolean; ownsTables: boolean; canRewrite: boolean }

/** Returns the privileges of the current role on the append-only tables. */
export async function readRoleState(db: Db): Promise<RoleState> {
  const [row] = await db<RoleState[]>`
    select r.rolname as role, r.rolsuper as is_superuser,
      coalesce(bool_or(pg_has_role(r.oid, c.relowner, 'member')), false) as owns_tables,
      coalesce(bool_or(has_table_privilege(r.oid, c.oid, 'update, delete, truncate, trigger')), false) as can_rewrite
    from pg_roles r left join pg_class c
      on c.relnamespace = 'public'::regnamespace and c.relname = any(${[...appendOnly]}::text[])
    where r.rolname = current_user group by r.oid, r.rolname, r.rolsuper`
  if (row === undefined) throw new Error('the role of this connection is not in pg_roles')
  return row
}

/**
 * Returns the application role. Undefined when both URLs name the same role, because the owner's privileges cannot be
 * revoked.
 */
function applicationRole({ applicationUrl, ownerUrl }: DatabaseUrls): ApplicationRole | undefined {
  const [application, owner] = [new URL(applicationUrl), new URL(ownerUrl)]
  if (application.username === owner.username) return undefined
  return { name: decodeURIComponent(application.username), password: decodeURIComponent(application.password) }
}

async function createRole(tx: Tx, { name, password }: ApplicationRole): Promise<void> {
  const [existingRole] = await tx`select 1 from pg_roles where rolname = ${name}`
  if (existingRole !== undefined) return
  const [roleCreator] = await tx`select 1 from pg_roles where rolname = current_user and (rolcreaterole or rolsuper)`
  if (roleCreator === undefined || password === '')
    throw new Error(
      `The role ${name} of DATABASE_URL does not exist, and it cannot be created: ${roleCreator === undefined ? 'the role of DATABASE_MIGRATION_URL may not create roles' : 'DATABASE_URL has no password'}. Create it with the LOGIN privilege only.`,
    )
  const [row] = await tx<{ text: string }[]>`
    select format('create role %I login password %L', ${name}::text, ${password}::text) as text`
  await tx.unsafe(row?.text ?? '')
}

async function grantAll(tx: Tx, role: string): Promise<void> {
  const to = tx(role)
  await tx`revoke all on all tables in schema public from ${to}`
  for (const table of await listTables(tx)) await tx`grant ${tx.unsafe(privilegesOn(table))} on ${tx(table)} to ${to}`
  await tx`revoke create on schema public from public, ${to}`
  await tx`grant usage on schema public to ${to}`
  await tx`grant usage on all sequences in schema public to ${to}`
  await tx`grant execute on function make_stream_partition(date), drop_stream_partition(date) to ${to}`
  await tx`grant execute on function make_audit_partition(date), drop_audit_partitions(date) to ${to}`
  await tx`grant execute on function delete_old_payment_events(timestamptz) to ${to}`
}

async function listTables(tx: Tx): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname !~ '^(stream_chunk_[0-9]{8}|audit_log_([0-9]{6}|default))$'`
  return rows.map(({ name }) => name)
}

function privilegesOn(table: string): string {
  if (readOnly.has(table)) return 'select'
  return appendOnly.has(table) ? 'select, insert' : 'select, insert, update, delete'
}
