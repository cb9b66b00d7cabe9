import type { Db } from '../postgres/client.ts'

/** Sets the next attempt of a row that failed at a broker: after one minute, doubling up to one day. */
export function postponed(db: Db) {
  return db`
    failures = failures + 1,
    retry_at = now() + least(interval '1 day', interval '1 minute' * 2 ^ least(failures, 11))`
}
