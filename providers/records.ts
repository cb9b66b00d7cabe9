import { channel } from 'node:diagnostics_channel'
import { z } from 'zod'

/** Report of unreadable records in a vendor's list. `list` names the vendor and the list. */
export type SkippedRecords = { list: string; skipped: number; total: number; firstError: string }

const skippedRecords = channel('backline:skipped-records')

/**
 * Reads each record of a vendor's list. Omits and reports the records for which `read` returns undefined or throws, so that
 * they do not affect the other records.
 */
export function readRecords<Item>(
  list: string,
  records: readonly unknown[],
  read: (record: unknown) => Item | undefined,
): Item[] {
  const items: Item[] = []
  const errors: string[] = []
  for (const record of records) {
    try {
      const item = read(record)
      if (item === undefined) errors.push('unreadable')
      else items.push(item)
    } catch (error) {
      errors.push(error instanceof z.ZodError ? describeIssues(error) : String(error))
    }
  }
  const [firstError] = errors
  if (firstError !== undefined)
    skippedRecords.publish({ list, skipped: errors.length, total: records.length, firstError })
  return items
}

/** Returns the schema of a vendor's list, which `readRecords` reads. Rejects values other than arrays. */
export function recordList<Record>(list: string, record: z.ZodType<Record>) {
  return z.array(z.unknown()).transform((records) => readRecords(list, records, (item) => record.parse(item)))
}

/** Calls `report` for each list with unreadable records. Returns a function that unsubscribes. */
export function onSkippedRecords(report: (skipped: SkippedRecords) => void): () => void {
  const listen = (skipped: unknown): void => report(skipped as SkippedRecords)
  skippedRecords.subscribe(listen)
  return () => {
    skippedRecords.unsubscribe(listen)
  }
}

type Log = { warn: (fields: SkippedRecords, message: string) => void }

/** Logs each list with unreadable records. Returns a function that stops logging. */
export function logSkippedRecords(log: Log): () => void {
  return onSkippedRecords((skipped) => log.warn(skipped, 'skipped unreadable records of a vendor list'))
}

/** Describes the issues by path and code, without the values, which may be private. */
function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join(', ')
}
