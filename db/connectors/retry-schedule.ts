import type { Db } from '../postgres/client.ts'

/** SQL assignments that schedule the next attempt after a broker failure: after one minute, doubling up to one day. */
export function scheduleRetry(db: Db) {
  return db`
    failures = failures + 1,
    retry_at = now() + least(interval '1 day', interval '1 minute' * 2 ^ least(failures, 11))`
}
