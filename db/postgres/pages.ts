import type { PendingQuery, Row as AnyRow } from 'postgres'
import { maxPageBytes } from '../../domain/fields/pages.ts'
import type { Db } from './client.ts'

/** `nextOffset` is set when the size limit cut the page short. */
export type LimitedPage<Row> = { rows: Row[]; nextOffset?: number }

/**
 * Returns the first rows of a query, up to 4 MB of JSON in total; only the first row may exceed that size. The database does
 * not send the other rows. `offset` is the offset of the query.
 */
export async function readPage<Row extends object>(
  db: Db,
  query: PendingQuery<AnyRow[]>,
  offset: number,
): Promise<LimitedPage<Row>> {
  const rows = await db<(Row & { found: number })[]>`
    with page as materialized (${query}), size as (
      select row_number() over () as place,
        sum(octet_length(row_to_json(page)::text)) over (rows unbounded preceding) as bytes
      from page
    )
    select page.*, (select count(*) from page) as found from page
    limit (select count(*) from size where place = 1 or bytes <= ${maxPageBytes})`
  return rows.length < (rows[0]?.found ?? 0) ? { rows, nextOffset: offset + rows.length } : { rows }
}
