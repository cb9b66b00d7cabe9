import { channel } from 'node:diagnostics_channel'
import { z } from 'zod'

/** Records of one vendor list that could not be read. `list` names the vendor and the list; `fault` is of the first. */
export type SkippedRecords = { list: string; skipped: number; total: number; fault: string }

const skippedRecords = channel('backline:skipped-records')

/**
 * Reads the records of a vendor's list one by one. A record that `read` rejects, by undefined or an error, is left out and
 * reported, so that it blocks none of the others.
 */
export function readRecords<Item>(
  list: string,
  records: readonly unknown[],
  read: (record: unknown) => Item | undefined,
): Item[] {
  const items: Item[] = []
  const faults: string[] = []
  for (const record of records) {
    try {
      const item = read(record)
      if (item === undefined) faults.push('unreadable')
      else items.push(item)
    } catch (error) {
      faults.push(error instanceof z.ZodError ? describeIssues(error) : String(error))
    }
  }
  const [fault] = faults
  if (fault !== undefined) skippedRecords.publish({ list, skipped: faults.length, total: records.length, fault })
  return items
}

/** Schema of a vendor's list whose records are read as `readRecords` does. Anything but an array is refused. */
export function recordList<Record>(list: string, record: z.ZodType<Record>) {
  return z.array(z.unknown()).transform((records) => readRecords(list, records, (one) => record.parse(one)))
}

/** Calls `report` for each list with records that could not be read. Returns a function that ends this. */
export function onSkippedRecords(report: (skipped: SkippedRecords) => void): () => void {
  const listen = (skipped: unknown): void => report(skipped as SkippedRecords)
  skippedRecords.subscribe(listen)
  return () => {
    skippedRecords.unsubscribe(listen)
  }
}

type Log = { warn: (fields: SkippedRecords, message: string) => void }

/** Logs each list with records that could not be read. Returns a function that ends this. */
export function logSkippedRecords(log: Log): () => void {
  return onSkippedRecords((skipped) => log.warn(skipped, 'failed to read records of a vendor'))
}

/** Paths and reasons, and none of the values: those may be private. */
function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join(', ')
}
