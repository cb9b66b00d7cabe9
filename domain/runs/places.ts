/**
 * Runs that a worker has let in, whether another one waits, and how late the worker's timers are, in milliseconds.
 */
export type PlaceLoad = { held: number; waiting: boolean; lateMs: number }
export type PlaceBounds = { min: number; max: number }

const calmMs = 10
const busyMs = 30

/**
 * How many headless runs a worker may have let in, given how many it might before: more while runs wait and its timers are
 * punctual, fewer while they are late. The processor is what runs compete for, so punctuality measures what a further run
 * would cost all others. Places that are not needed are given up: a flood does not find those of the one before.
 */
export function nextPlaces(places: number, { held, waiting, lateMs }: PlaceLoad, { min, max }: PlaceBounds): number {
  if (!waiting) return Math.max(min, Math.min(places, held))
  if (lateMs > busyMs) return Math.max(min, Math.floor(places * 0.75))
  if (lateMs > calmMs) return places
  return Math.min(max, places + Math.ceil(places / 4))
}

/** Places of one account among so many: a quarter is always left to others. */
export function placesOfAccount(places: number): number {
  return Math.max(1, Math.floor(places * 0.75))
}
