import { toEntityId, type Entity } from '../../domain/connectors/connector.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { scheduleRetry } from './retry-schedule.ts'

export type ConnectionRow = { connectedAccountId: string; toolkit: string; active: boolean }

/** Returns the connections of the entity, at most one per toolkit. */
export function listConnections(db: Db, { workspaceId, subjectId }: Entity): Promise<ConnectionRow[]> {
  return db<ConnectionRow[]>`
    select connected_account_id, toolkit, active from connector_connections
    where workspace_id = ${workspaceId} and subject_id = ${subjectId} and replaced_at is null`
}

/** Returns a connection of the entity; undefined for the connection of another entity. */
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

/** Stores an active connection, which replaces the entity's previous connection to the toolkit. Safe to repeat. */
export async function insertConnection(
  tx: Tx,
  { workspaceId, subjectId }: Entity,
  {
    connectedAccountId,
    toolkit,
    accountName,
  }: { connectedAccountId: string; toolkit: string; accountName: string | null },
): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${toEntityId({ workspaceId, subjectId })}, 0))`
  await tx`
    update connector_connections set replaced_at = now(), active = false
    where workspace_id = ${workspaceId} and subject_id = ${subjectId} and toolkit = ${toolkit}
      and replaced_at is null and connected_account_id <> ${connectedAccountId}`
  await tx`
    insert into connector_connections
      (connected_account_id, workspace_id, subject_id, toolkit, active, account_name, created_at)
    values (${connectedAccountId}, ${workspaceId}, ${subjectId}, ${toolkit}, true, ${accountName}, clock_timestamp())
    on conflict (connected_account_id) do nothing`
}

export async function deleteConnection(db: Db, connectedAccountId: string): Promise<void> {
  await db`delete from connector_connections where connected_account_id = ${connectedAccountId}`
}

/** Returns the database time, which the timestamps of connections use. */
export async function readClock(db: Db): Promise<Date> {
  const [{ now }] = await db<[{ now: Date }]>`select clock_timestamp() as now`
  return now
}

/**
 * Activates the connections in `active`, which the brokers returned at `asOf` (database time), and deactivates the entity's
 * other connections to these toolkits. Connections created later do not change.
 */
export async function updateActiveConnections(
  db: Db | Tx,
  { workspaceId, subjectId }: Entity,
  { toolkits, active, asOf }: { toolkits: readonly string[]; active: readonly string[]; asOf: Date },
): Promise<void> {
  await db`
    update connector_connections set active = connected_account_id = any(${[...active]}::text[])
    where workspace_id = ${workspaceId} and subject_id = ${subjectId} and replaced_at is null
      and toolkit = any(${[...toolkits]}::text[]) and created_at < ${asOf}
      and active <> (connected_account_id = any(${[...active]}::text[]))`
}

export async function deactivateConnection(db: Db, connectedAccountId: string): Promise<void> {
  await db`update connector_connections set active = false where connected_account_id = ${connectedAccountId}`
}

/**
 * Returns whether another live connection may use the same account at the service. In this case, revoking the grant of this
 * connection would end the access of both. Compares account names, or entities if the service reports no name.
 */
export async function isGrantShared(db: Db, connectedAccountId: string): Promise<boolean> {
  const [row] = await db<[{ shares: boolean }?]>`
    select exists (
      select 1 from connector_connections live
      where live.toolkit = own.toolkit and live.replaced_at is null
        and live.connected_account_id <> own.connected_account_id
        and coalesce(live.account_name = own.account_name,
          live.workspace_id = own.workspace_id and live.subject_id = own.subject_id)
    ) as shares
    from connector_connections own where connected_account_id = ${connectedAccountId}`
  return row?.shares === true
}

/** Returns replaced connections that still exist at their brokers, in the order of their next attempts to delete them. */
export function listReplaced(db: Db, limit: number): Promise<ConnectionRow[]> {
  return db<ConnectionRow[]>`
    select connected_account_id, toolkit, active from connector_connections
    where replaced_at is not null and retry_at <= now() order by retry_at limit ${limit}`
}

export async function postponeConnection(db: Db, connectedAccountId: string): Promise<void> {
  await db`update connector_connections set ${scheduleRetry(db)} where connected_account_id = ${connectedAccountId}`
}
