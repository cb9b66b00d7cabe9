import type { Entity } from '../../domain/connectors/connector.ts'
import type { FileDescriptor } from '../../domain/connectors/action-files.ts'
import type { Db, Pool } from '../postgres/client.ts'
import { scheduleRetry } from './retry-schedule.ts'

type FileScope = Entity & { toolkit: string }

/** Maximum bytes of action files per workspace. */
const maxBytes = 1_000_000_000

/**
 * Inserts the row of a file, valid for 24 hours, before the file itself is stored. `brokerKey`: the file's key at the
 * broker, if known. Returns false when the files of the workspace would exceed `maxBytes`.
 */
export function insertFile(
  db: Pool,
  { workspaceId, subjectId, toolkit }: FileScope,
  { key, name, mimetype, brokerKey, bytes }: FileDescriptor & { brokerKey: string | undefined; bytes: number },
): Promise<boolean> {
  return db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`connector files ${workspaceId}`}, 0))`
    const { count } = await tx`
      insert into connector_files
        (key, workspace_id, subject_id, toolkit, name, mimetype, broker_key, bytes, expires_at)
      select ${key}, ${workspaceId}, ${subjectId}, ${toolkit}, ${name}, ${mimetype}, ${brokerKey ?? null}, ${bytes},
        now() + interval '24 hours'
      where ${bytes} + (
        select coalesce(sum(bytes), 0) from connector_files where workspace_id = ${workspaceId}
      ) <= ${maxBytes}`
    return count === 1
  })
}

/** Records the broker's key of a file. */
export async function recordBrokerKey(db: Db, key: string, brokerKey: string): Promise<void> {
  await db`update connector_files set broker_key = ${brokerKey} where key = ${key}`
}

/** Returns the broker's key of a file that was stored for this entity and toolkit; undefined for any other file. */
export async function findBrokerKey(
  db: Db,
  { workspaceId, subjectId, toolkit }: FileScope,
  { key, name, mimetype }: FileDescriptor,
): Promise<string | undefined> {
  const [row] = await db<{ brokerKey: string | null }[]>`
    select broker_key from connector_files
    where key = ${key} and name = ${name} and mimetype = ${mimetype} and toolkit = ${toolkit}
      and workspace_id = ${workspaceId} and subject_id = ${subjectId} and expires_at > now()`
  return row?.brokerKey ?? undefined
}

/** Returns files that expired at least an hour ago, so that a running action keeps its file. */
export function listExpiredFiles(db: Db, limit: number) {
  return db<{ key: string; toolkit: string; brokerKey: string | null }[]>`
    select key, toolkit, broker_key from connector_files
    where expires_at <= now() - interval '1 hour' and retry_at <= now() order by retry_at limit ${limit}`
}

export async function postponeFile(db: Db, key: string): Promise<void> {
  await db`update connector_files set ${scheduleRetry(db)} where key = ${key}`
}

export async function deleteFile(db: Db, key: string): Promise<void> {
  await db`delete from connector_files where key = ${key}`
}
