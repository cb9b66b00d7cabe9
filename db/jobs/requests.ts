import type { Db } from '../postgres/client.ts'
import { jobKinds } from './list.ts'

/** Returns the run that waits for the request with this id prefix; undefined when there is none. */
export async function findRunOfRequest(db: Db, requestIdPrefix: string): Promise<string | undefined> {
  for (const kind of jobKinds) {
    if (kind.vendor !== 'renderer') continue
    const [row] = await db<{ runId: string }[]>`
      select run_id from ${db(kind.table)}
      where starts_with(provider_request_id, ${requestIdPrefix}) and ${kind.isRendering(db)} limit 1`
    if (row !== undefined) return row.runId
  }
  return undefined
}
