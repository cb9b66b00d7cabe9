import { entityIdOf, type Entity } from '../../domain/connectors/connector.ts'
import type { Db, Tx } from '../postgres/client.ts'

export type ConnectionRow = { connectedAccountId: string; toolkit: string; active: boolean }

/** What the entity has, one of a toolkit at most. */
export function listConnections(db: Db, { workspaceId, subjectId }: Entity): Promise<ConnectionRow[]> {
  return db<ConnectionRow[]>`
    select connected_account_id, toolkit, active from connector_connections
    where workspace_id = ${workspaceId} and subject_id = ${subjectId} and replaced_at is null`
}

/** The toolkit of a connection of the entity; undefined for any other. */
export async function findConnection(
  db: Db,
  { workspaceId, subjectId }: Entity,
  connectedAccountId: string,
): Promise<ConnectionRow | undefined> {
  const [row] = await db<ConnectionRow[]>`
    select connected_account_id, toolkit, active from connector_connections
    where workspace_id = ${workspaceId} and subject_id = ${subjectId}
      and connected_account_id = ${connectedAccountId} and replaced_at is null`
  return row
}

/** Stores an active connection; one that the entity has of the toolkit is replaced by it. Safe to repeat. */
export async function insertConnection(
  tx: Tx,
  { workspaceId, subjectId }: Entity,
  { connectedAccountId, toolkit }: { connectedAccountId: string; toolkit: string },
): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${entityIdOf({ workspaceId, subjectId })}, 0))`
  await tx`
    update connector_connections set replaced_at = now(), active = false
    where workspace_id = ${workspaceId} and subject_id = ${subjectId} and toolkit = ${toolkit}
      and replaced_at is null and connected_account_id <> ${connectedAccountId}`
  await tx`
    insert into connector_connections (connected_account_id, workspace_id, subject_id, toolkit, active)
    values (${connectedAccountId}, ${workspaceId}, ${subjectId}, ${toolkit}, true)
    on conflict (connected_account_id) do nothing`
}

export async function deleteConnection(db: Db, connectedAccountId: string): Promise<void> {
  await db`delete from connector_connections where connected_account_id = ${connectedAccountId}`
}

/** What the brokers say of connections: those of the entity that they do not list as active are not. */
export async function setActive(
  db: Db | Tx,
  { workspaceId, subjectId }: Entity,
  { toolkits, active }: { toolkits: readonly string[]; active: readonly string[] },
): Promise<void> {
  await db`
    update connector_connections set active = connected_account_id = any(${[...active]}::text[])
    where workspace_id = ${workspaceId} and subject_id = ${subjectId} and replaced_at is null
      and toolkit = any(${[...toolkits]}::text[])
      and active <> (connected_account_id = any(${[...active]}::text[]))`
}

export async function deactivate(db: Db, connectedAccountId: string): Promise<void> {
  await db`update connector_connections set active = false where connected_account_id = ${connectedAccountId}`
}

/** Connections whose place another took, and that their brokers still keep. */
export function listReplaced(db: Db, limit: number): Promise<ConnectionRow[]> {
  return db<ConnectionRow[]>`
    select connected_account_id, toolkit, active from connector_connections
    where replaced_at is not null order by replaced_at limit ${limit}`
}
