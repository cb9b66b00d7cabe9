import type { Db } from './client.ts'

/** A part of a list in the order of its ids: what comes after an id, or the beginning. */
export type IdPage = { after?: string | undefined; limit: number }

/** The last condition of a query for a page, and its end. */
export function ofPage(db: Db, { after, limit }: IdPage, id = 'id') {
  return db`
  ${after === undefined ? db`true` : db`${db(id)} > ${after}`} order by ${db(id)} limit ${limit}`
}
