import type { Db } from './client.ts'

/**
 * Converts microseconds to an instant. List positions use microseconds, because a `Date` would drop the last three
 * digits.
 */
export function instantAt(db: Db, micros: number) {
  return db`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
}

/** Converts an instant to microseconds. */
export function toMicros(db: Db, instant: ReturnType<typeof instantAt>) {
  return db`(extract(epoch from ${instant}) * 1000000)::bigint`
}
