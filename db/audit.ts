import type { Db } from './postgres/client.ts'

/** An API call that may have changed data. `result` is the HTTP status of its response. */
export type AuditRow = {
  at: Date
  callerId: string | null
  effectiveAccountId: string | null
  keyId: string | null
  action: string
  object: string | null
  requestId: string
  result: number
}

export async function insertAuditRows(db: Db, rows: AuditRow[]): Promise<void> {
  await db`
    insert into audit_log (at, caller, effective_account, key_id, action, object, request_id, result)
    select at, caller, effective_account, key_id, action, object, request_id, result
    from jsonb_to_recordset(${JSON.stringify(
      rows.map((row) => ({
        at: row.at,
        caller: row.callerId,
        effective_account: row.effectiveAccountId,
        key_id: row.keyId,
        action: row.action,
        object: row.object,
        request_id: row.requestId,
        result: row.result,
      })),
    )}::text::jsonb) as row (
      at timestamptz, caller uuid, effective_account uuid, key_id uuid, action text, object text, request_id text,
      result integer
    )`
}
