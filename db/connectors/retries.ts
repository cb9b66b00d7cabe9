import type { Db } from '../postgres/client.ts'

/** Sets the next try of a row that a broker failed on: after a minute, twice as long each time, at most a day. */
export function postponed(db: Db) {
  return db`
    failures = failures + 1,
    retry_at = now() + least(interval '1 day', interval '1 minute' * 2 ^ least(failures, 11))`
}
