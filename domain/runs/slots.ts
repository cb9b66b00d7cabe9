/** Load of a resource. `calm`: the resource has free capacity. `busy`: it has none. */
export type LoadLevel = 'calm' | 'steady' | 'busy'

/** The slots in use, whether work waits for a slot, and the load of the resource that the slots share. */
export type SlotUse = { held: number; isWaiting: boolean; load: LoadLevel }
export type SlotBounds = { min: number; max: number }

const calmDelayMs = 10
const busyDelayMs = 30

/** Returns the load of a worker, by the delay of its timers in milliseconds. */
export function classifyTimerDelay(delayMs: number): LoadLevel {
  if (delayMs > busyDelayMs) return 'busy'
  return delayMs > calmDelayMs ? 'steady' : 'calm'
}

const calmIdleShare = 0.2
const busyIdleShare = 0.05

/** Returns the load of a machine, by the idle share of its CPU time, 0 to 1. */
export function classifyIdleShare(idleShare: number): LoadLevel {
  if (idleShare < busyIdleShare) return 'busy'
  return idleShare < calmIdleShare ? 'steady' : 'calm'
}

/**
 * Returns the next number of slots: more while work waits and the resource is calm, fewer while it is busy. Without waiting
 * work, the number falls to the slots in use, so that the next burst starts small.
 */
export function nextSlotCount(count: number, { held, isWaiting, load }: SlotUse, { min, max }: SlotBounds): number {
  if (!isWaiting) return Math.max(min, Math.min(count, held))
  if (load === 'busy') return Math.max(min, Math.floor(count * 0.75))
  if (load === 'steady') return count
  return Math.min(max, count + Math.ceil(count / 4))
}

/** Returns how many of the slots one account may use. A quarter always remains for other accounts. */
export function maxSlotsPerAccount(count: number): number {
  return Math.max(1, Math.floor(count * 0.75))
}

const activitiesPerGib = 125
const [minActivities, maxActivities] = [100, 1000]

/** Returns the default number of concurrent activities of a worker with this much memory: 500 with 4 GiB. */
export function defaultActivitySlots(memoryBytes: number): number {
  const count = Math.floor((memoryBytes / 2 ** 30) * activitiesPerGib)
  return Math.max(minActivities, Math.min(count, maxActivities))
}

const [steadyDelayMs, stalledDelayMs] = [50, 150]
const [steadyMemoryShare, fullMemoryShare] = [0.75, 0.85]

/**
 * Returns the load of a worker whose many activities mostly wait, by the delay of its timers in milliseconds and the share of
 * its memory in use, 0 to 1.
 */
export function classifyWorkerLoad({ delayMs, memoryShare }: { delayMs: number; memoryShare: number }): LoadLevel {
  if (delayMs > stalledDelayMs || memoryShare > fullMemoryShare) return 'busy'
  return delayMs > steadyDelayMs || memoryShare > steadyMemoryShare ? 'steady' : 'calm'
}
