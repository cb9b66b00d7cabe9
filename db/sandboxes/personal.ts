import type { StoredSandboxState } from '../../domain/sessions/sessions.ts'
import type { Page } from '../../domain/fields/pages.ts'
import type { Db } from '../postgres/client.ts'

export type AccountSandboxStatus =
  | 'pending'
  | 'running'
  | 'stopping'
  | 'stopped'
  | 'failed'
  | 'aborted'
  | 'snapshotting'

export type AccountSandbox = {
  id: string
  accountId: string
  state: StoredSandboxState
  status: AccountSandboxStatus
  timeoutMs: number
  createdAt: Date
}

/** Returns the sandboxes of an account, latest first. */
export function listAccountSandboxes(
  db: Db,
  accountId: string,
  { limit, offset, id }: Page & { id?: string | undefined },
): Promise<AccountSandbox[]> {
  return db<AccountSandbox[]>`
    select ${columns(db)} from account_sandboxes
    where account_id = ${accountId} and (${id ?? null}::text is null or id = ${id ?? null})
    order by created_at desc, id desc limit ${limit} offset ${offset}`
}

export async function findAccountSandbox(db: Db, id: string): Promise<AccountSandbox | undefined> {
  const [sandbox] = await db<AccountSandbox[]>`select ${columns(db)} from account_sandboxes where id = ${id}`
  return sandbox
}

/** Inserts the row of a sandbox before the sandbox is created. An existing row does not change. */
export async function insertAccountSandbox(
  db: Db,
  { id, accountId, state, timeoutMs }: Pick<AccountSandbox, 'id' | 'accountId' | 'state' | 'timeoutMs'>,
): Promise<void> {
  await db`
    insert into account_sandboxes (id, account_id, state, timeout_ms)
    values (${id}, ${accountId}, ${db.json(state)}, ${timeoutMs}) on conflict (id) do nothing`
}

export async function updateAccountSandbox(
  db: Db,
  id: string,
  { status, state }: { status: AccountSandboxStatus; state?: StoredSandboxState },
): Promise<void> {
  await db`
    update account_sandboxes set status = ${status},
      state = coalesce(${state === undefined ? null : JSON.stringify(state)}::text::jsonb, state)
    where id = ${id}`
}

export async function deleteAccountSandbox(db: Db, id: string): Promise<void> {
  await db`delete from account_sandboxes where id = ${id}`
}

function columns(db: Db) {
  return db`id, account_id, state, status, timeout_ms, created_at`
}
