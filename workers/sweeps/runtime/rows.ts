import type { Logger } from 'pino'
import { isDatabaseUnavailable } from '../../../db/postgres/failures.ts'
import type { IdPage } from '../../../db/postgres/id-pages.ts'
import { isTemporalUnavailable } from '../../../engine/status.ts'
import { isProviderUnavailable } from '../../../providers/errors/provider-error.ts'

type Row = { id: string }

/** Processes every row of a list, page by page. Reports a row that fails, and continues with the next row. */
export type EachRow = <R extends Row>(
  sweep: string,
  list: (page: IdPage) => Promise<R[]>,
  processRow: (row: R) => Promise<unknown>,
) => Promise<void>

/** Reports a row that failed: in the log at most once an hour per row, and in the metric each time. */
export type ReportRow = (sweep: string, id: string, error: unknown) => void

type ReportDeps = { log: Logger; countFailure: (sweep: string) => void }

const repeatIntervalMs = 60 * 60 * 1000

export function createReport({ log, countFailure }: ReportDeps): ReportRow {
  const reported = new Map<string, number>()
  return (sweep, id, error) => {
    countFailure(sweep)
    const now = Date.now()
    for (const [row, reportedAt] of reported) {
      if (now - reportedAt < repeatIntervalMs) break
      reported.delete(row)
    }
    const row = `${sweep} ${id}`
    if (reported.has(row)) return
    reported.set(row, now)
    log.error(
      { err: error, sweep, rowId: id, alert: true },
      'a sweep failed to process a row and continued with the others',
    )
  }
}

/** Returns whether a dependency of the sweep is unavailable, so that the row is not the cause. */
export function isOutage(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isTemporalUnavailable(error) || isProviderUnavailable(error)
}

type RowsDeps = { log: Logger; report: ReportRow; signal: AbortSignal }

const maxPageRows = 200
/**
 * Maximum consecutive rows that fail because a dependency is unavailable. The round then ends, because each row may wait
 * for a timeout.
 */
const maxUnavailable = 3

/**
 * Creates the row processor of the sweeps. After a round that ended early, the next round continues after its last row, so
 * that failing rows do not block other rows.
 */
export function createEachRow({ log, report, signal }: RowsDeps): EachRow {
  const lastRowIds = new Map<string, string>()
  return async (sweep, list, processRow) => {
    let after = lastRowIds.get(sweep)
    let unavailableCount = 0
    for (;;) {
      const rows = await list({ after, limit: maxPageRows })
      for (const row of rows) {
        if (signal.aborted) return
        try {
          await processRow(row)
          unavailableCount = 0
        } catch (error) {
          if (!isOutage(error)) report(sweep, row.id, error)
          else if (++unavailableCount === maxUnavailable) {
            lastRowIds.set(sweep, row.id)
            log.warn({ err: error, sweep }, 'a sweep ended early; the next round continues after the last row')
            return
          }
        }
        after = row.id
      }
      if (rows.length < maxPageRows) break
    }
    lastRowIds.delete(sweep)
  }
}
