import type { Entity } from '../../domain/connectors/connector.ts'
import type { FileDescriptor } from '../../domain/connectors/files.ts'
import type { Db } from '../postgres/client.ts'

type Placed = Entity & { toolkit: string }

/** Good for 24 hours. */
export async function insertFile(
  db: Db,
  { workspaceId, subjectId, toolkit }: Placed,
  { key, name, mimetype, brokerKey }: FileDescriptor & { brokerKey: string },
): Promise<void> {
  await db`
    insert into connector_files (key, workspace_id, subject_id, toolkit, name, mimetype, broker_key, expires_at)
    values (${key}, ${workspaceId}, ${subjectId}, ${toolkit}, ${name}, ${mimetype}, ${brokerKey},
      now() + interval '24 hours')`
}

/** The broker's key of a file that was staged so for this entity and toolkit; undefined for any other. */
export async function findBrokerKey(
  db: Db,
  { workspaceId, subjectId, toolkit }: Placed,
  { key, name, mimetype }: FileDescriptor,
): Promise<string | undefined> {
  const [row] = await db<{ brokerKey: string }[]>`
    select broker_key from connector_files
    where key = ${key} and name = ${name} and mimetype = ${mimetype} and toolkit = ${toolkit}
      and workspace_id = ${workspaceId} and subject_id = ${subjectId} and expires_at > now()`
  return row?.brokerKey
}

/** An hour after their end, so that an action under way keeps its file. */
export function listExpiredFiles(db: Db, limit: number) {
  return db<{ key: string; toolkit: string; brokerKey: string }[]>`
    select key, toolkit, broker_key from connector_files
    where expires_at <= now() - interval '1 hour' order by expires_at limit ${limit}`
}

export async function deleteFile(db: Db, key: string): Promise<void> {
  await db`delete from connector_files where key = ${key}`
}
