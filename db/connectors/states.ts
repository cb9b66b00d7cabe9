import type { Entity } from '../../domain/connectors/connector.ts'
import type { Db } from '../postgres/client.ts'

export type ConnectorState = Entity & { toolkit: string; target: string | null }

/** Good for ten minutes. */
export async function insertState(
  db: Db,
  hash: string,
  { caller, workspaceId, subjectId, toolkit, target }: ConnectorState & { caller: string },
): Promise<void> {
  await db`
    insert into connector_states (state_hash, caller, workspace_id, subject_id, toolkit, target, expires_at)
    values (${hash}, ${caller}, ${workspaceId}, ${subjectId}, ${toolkit}, ${target}, now() + interval '10 minutes')`
}

export async function prepareState(db: Db, hash: string, connectedAccountId: string): Promise<void> {
  await db`update connector_states set connected_account_id = ${connectedAccountId} where state_hash = ${hash}`
}

/** Takes a state that nobody took, in time; undefined for any other. */
export async function takeState(
  db: Db,
  hash: string,
): Promise<(ConnectorState & { connectedAccountId: string | null }) | undefined> {
  const [row] = await db<(ConnectorState & { connectedAccountId: string | null })[]>`
    update connector_states set used_at = now()
    where state_hash = ${hash} and used_at is null and expires_at > now()
    returning workspace_id, subject_id, toolkit, target, connected_account_id`
  return row
}
