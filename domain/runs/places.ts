/** What a worker has let in, and how late its timers are, in milliseconds. */
export type PlaceLoad = { held: number; lateMs: number }
export type PlaceBounds = { min: number; max: number }

const calmMs = 10
const busyMs = 30

/**
 * How many headless runs a worker may have let in, given how many it might before: more while they are all taken and its
 * timers are punctual, fewer while they are late. The processor is what runs compete for, so punctuality measures what a
 * further run would cost all others.
 */
export function nextPlaces(places: number, { held, lateMs }: PlaceLoad, { min, max }: PlaceBounds): number {
  if (lateMs > busyMs) return Math.max(min, Math.floor(places * 0.75))
  if (lateMs > calmMs || held < places) return places
  return Math.min(max, places + Math.ceil(places / 4))
}

/** Places of one account among so many: a quarter is always left to others. */
export function placesOfAccount(places: number): number {
  return Math.max(1, Math.floor(places * 0.75))
}
