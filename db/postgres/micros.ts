import type { Db } from './client.ts'

/** The instant of a count of microseconds: positions of lists are kept so, since a `Date` would drop the last three digits. */
export function instantAt(db: Db, micros: number) {
  return db`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
}

/** The microseconds of an instant. */
export function microsOf(db: Db, instant: ReturnType<typeof instantAt>) {
  return db`(extract(epoch from ${instant}) * 1000000)::bigint`
}
