/** Load of a resource: `calm` has capacity, `busy` does not. */
export type Busy = 'calm' | 'steady' | 'busy'

/** Occupied places, whether a run waits for one, and the load of the resource behind the places. */
export type PlaceLoad = { held: number; waiting: boolean; busy: Busy }
export type PlaceBounds = { min: number; max: number }

const calmLateMs = 10
const busyLateMs = 30

/** Load of a worker, by the lateness of its timers in milliseconds. */
export function busyByLateness(lateMs: number): Busy {
  if (lateMs > busyLateMs) return 'busy'
  return lateMs > calmLateMs ? 'steady' : 'calm'
}

const calmIdleShare = 0.2
const busyIdleShare = 0.05

/** Load of a machine, by the idle share of its CPU time, 0 to 1. */
export function busyByIdleShare(idleShare: number): Busy {
  if (idleShare < busyIdleShare) return 'busy'
  return idleShare < calmIdleShare ? 'steady' : 'calm'
}

/**
 * The next number of places: more while runs wait and the resource is calm, fewer while it is
 * busy. Unneeded places are given up, so that a flood does not find those of the previous one.
 */
export function nextPlaces(places: number, { held, waiting, busy }: PlaceLoad, { min, max }: PlaceBounds): number {
  if (!waiting) return Math.max(min, Math.min(places, held))
  if (busy === 'busy') return Math.max(min, Math.floor(places * 0.75))
  if (busy === 'steady') return places
  return Math.min(max, places + Math.ceil(places / 4))
}

/** Places of one account: a quarter is always left to others. */
export function placesOfAccount(places: number): number {
  return Math.max(1, Math.floor(places * 0.75))
}

const activitiesPerGib = 125
const [minActivities, maxActivities] = [100, 1000]

/** Activities that a worker with so many bytes of memory executes at the same time, by default: 500 with 4 GiB. */
export function activitiesIn(memoryBytes: number): number {
  const fitting = Math.floor((memoryBytes / 2 ** 30) * activitiesPerGib)
  return Math.max(minActivities, Math.min(fitting, maxActivities))
}

const [steadyLateMs, stalledLateMs] = [50, 150]
const [steadyMemoryShare, fullMemoryShare] = [0.75, 0.85]

/**
 * How busy a worker is that executes many activities which mostly wait: by the lateness of its timers in milliseconds and the
 * share of its memory in use, 0 to 1.
 */
export function busyByStall({ lateMs, memoryShare }: { lateMs: number; memoryShare: number }): Busy {
  if (lateMs > stalledLateMs || memoryShare > fullMemoryShare) return 'busy'
  return lateMs > steadyLateMs || memoryShare > steadyMemoryShare ? 'steady' : 'calm'
}
