import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { insertAuditRows, type AuditRow } from '../../db/audit.ts'
import type { Pool } from '../../db/postgres/client.ts'
import { isContentError } from '../../db/postgres/failures.ts'
import type { AuditedCall } from '../http/dispatch/exchange.ts'
import type { Caller } from '../http/route.ts'

export function recordAuditAccount({ record }: Caller, accountId: string): void {
  if (record !== undefined) record.effectiveAccountId = accountId
}

/** Sets the audited object of a call whose path parameters do not identify it. */
export function recordAuditObject({ record }: Caller, object: string): void {
  if (record !== undefined) record.object = object
}

const maxPending = 10_000
const batchSize = 500
const closeTimeoutMs = 5000
const retryIntervalMs = 1000

export type Audit = {
  /** `result`: HTTP status of the response. */
  record(call: AuditedCall, result: number): void
  /** Waits at most five seconds until the pending rows are written. */
  close(): Promise<void>
}

/** Creates an audit that writes one row per call after its response. A slow or unavailable database never affects a call. */
export function createAudit({ db, log }: { db: Pool; log: Logger }): Audit {
  const pending: AuditRow[] = []
  let writing: Promise<void> | undefined

  /** Inserts the rows. If Postgres rejects their content, inserts them one at a time and skips each rejected row. */
  const insert = async (rows: AuditRow[]): Promise<void> => {
    try {
      await insertAuditRows(db, rows)
    } catch (error) {
      if (!isContentError(error)) throw error
      if (rows.length > 1) for (const row of rows) await insert([row])
      else log.error({ err: error, action: rows[0]?.action }, 'an audit row was rejected by the database and skipped')
    }
  }

  const write = async (): Promise<void> => {
    for (let rows = pending.slice(0, batchSize); rows.length > 0; rows = pending.slice(0, batchSize)) {
      try {
        await insert(rows)
        pending.splice(0, rows.length)
      } catch (error) {
        log.warn({ err: error, rows: pending.length }, 'failed to write audit rows; they are retried')
        await pause(retryIntervalMs, undefined, { ref: false })
      }
    }
    writing = undefined
  }

  return {
    record: (call, result) => {
      if (call.route.audited === 'successes' && result >= 400) return
      if (pending.length >= maxPending) {
        log.error({ waiting: pending.length }, 'an audit row was dropped because the buffer is full')
        return
      }
      pending.push(toAuditRow(call, result))
      writing ??= write()
    },
    close: async () => {
      await Promise.race([writing, pause(closeTimeoutMs, undefined, { ref: false })])
    },
  }
}

function toAuditRow({ caller, route, pathParams, requestId }: AuditedCall, result: number): AuditRow {
  const callerId = caller.accountId || null
  return {
    at: new Date(),
    callerId,
    effectiveAccountId: caller.record?.effectiveAccountId ?? callerId,
    keyId: caller.keyId ?? null,
    action: `${route.method} ${route.path}`,
    object: caller.record?.object ?? (Object.values(pathParams).join('/').slice(0, 500) || null),
    requestId,
    result,
  }
}
