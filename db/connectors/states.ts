import type { Entity } from '../../domain/connectors/connector.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { scheduleRetry } from './retry-schedule.ts'

export type ConnectorState = Entity & { caller: string; toolkit: string; target: string | null }

/** An authorized connection that its caller must still confirm. */
export type Confirmation = ConnectorState & { connectedAccountId: string; accountName: string | null }

/** Stores the state of an authorization for ten minutes. */
export async function insertState(
  db: Db,
  hash: string,
  { caller, workspaceId, subjectId, toolkit, target }: ConnectorState,
): Promise<void> {
  await db`
    insert into connector_states (state_hash, caller, workspace_id, subject_id, toolkit, target, expires_at)
    values (${hash}, ${caller}, ${workspaceId}, ${subjectId}, ${toolkit}, ${target}, now() + interval '10 minutes')`
}

export async function prepareState(db: Db, hash: string, connectedAccountId: string): Promise<void> {
  await db`update connector_states set connected_account_id = ${connectedAccountId} where state_hash = ${hash}`
}

/**
 * Consumes an unused, unexpired state and returns it. The authorization then has one minute to finish. Undefined for any
 * other state.
 */
export async function consumeState(
  db: Db,
  hash: string,
): Promise<(ConnectorState & { connectedAccountId: string | null }) | undefined> {
  const [row] = await db<(ConnectorState & { connectedAccountId: string | null })[]>`
    update connector_states set used_at = now(), expires_at = now() + interval '1 minute'
    where state_hash = ${hash} and used_at is null and expires_at > now()
    returning caller, workspace_id, subject_id, toolkit, target, connected_account_id`
  return row
}

/** Stores a confirmation code in a consumed state. The caller can confirm the connection with it for 15 minutes. */
export async function offerConfirmation(
  db: Db,
  hash: string,
  { codeHash, accountName }: { codeHash: string; accountName: string | null },
): Promise<void> {
  await db`
    update connector_states
    set confirm_hash = ${codeHash}, account_name = ${accountName}, expires_at = now() + interval '15 minutes'
    where state_hash = ${hash}`
}

/** Returns the unexpired confirmation with this code, regardless of its caller. */
export async function findConfirmation(db: Db, codeHash: string): Promise<Confirmation | undefined> {
  const [row] = await db<Confirmation[]>`
    select ${columns(db)} from connector_states where confirm_hash = ${codeHash} and expires_at > now()`
  return row
}

/** Consumes and returns this caller's unexpired confirmation with the code. */
export async function consumeConfirmation(tx: Tx, codeHash: string, caller: string): Promise<Confirmation | undefined> {
  const [row] = await tx<Confirmation[]>`
    delete from connector_states where confirm_hash = ${codeHash} and caller = ${caller} and expires_at > now()
    returning ${columns(tx)}`
  return row
}

/**
 * Expires a state, so that the sweeper deletes it. Returns false when this caller has no unexpired confirmation with the
 * code.
 */
export async function rejectConfirmation(db: Db, codeHash: string, caller: string): Promise<boolean> {
  const { count } = await db`
    update connector_states set expires_at = now() - ${confirmationTime(db)}
    where confirm_hash = ${codeHash} and caller = ${caller} and expires_at > now()`
  return count === 1
}

export type UnconfirmedState = {
  stateHash: string
  toolkit: string
  connectedAccountId: string | null
}

/** Returns states that expired at least a minute ago, in the order of the next attempts to delete them. */
export function listUnconfirmed(db: Db, limit: number): Promise<UnconfirmedState[]> {
  return db<UnconfirmedState[]>`
    select state_hash, toolkit, connected_account_id from connector_states
    where expires_at <= now() - ${confirmationTime(db)} and retry_at <= now()
    order by retry_at limit ${limit}`
}

/**
 * Returns whether a live connection uses the same account at the service. In this case, revoking the grant of the state
 * would end the access of that connection.
 */
export async function isGrantInUse(db: Db, { stateHash, connectedAccountId }: UnconfirmedState): Promise<boolean> {
  const [row] = await db<{ keeps: boolean }[]>`
    select exists (
      select 1 from connector_connections live
      where live.toolkit = state.toolkit and live.replaced_at is null and live.account_name = coalesce(
        state.account_name,
        (select account_name from connector_grants where connected_account_id = ${connectedAccountId})
      )
    ) as keeps
    from connector_states state where state_hash = ${stateHash}`
  return row?.keeps ?? false
}

export async function deleteState(db: Db, stateHash: string): Promise<void> {
  await db`delete from connector_states where state_hash = ${stateHash}`
}

export async function postponeState(db: Db, stateHash: string): Promise<void> {
  await db`update connector_states set ${scheduleRetry(db)} where state_hash = ${stateHash}`
}

function columns(db: Db | Tx) {
  return db`caller, workspace_id, subject_id, toolkit, target, connected_account_id, account_name`
}

/** Maximum duration of a confirmation in progress. */
function confirmationTime(db: Db) {
  return db`interval '1 minute'`
}
