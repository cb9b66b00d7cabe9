import type { Db } from './client.ts'

/** A page of a list ordered by id: the rows after an id, or the first rows. */
export type IdPage = { after?: string | undefined; limit: number }

/** SQL for the last condition, the order and the limit of a page query. */
export function pageClause(db: Db, { after, limit }: IdPage, id = 'id') {
  return db`
  ${after === undefined ? db`true` : db`${db(id)} > ${after}`} order by ${db(id)} limit ${limit}`
}
