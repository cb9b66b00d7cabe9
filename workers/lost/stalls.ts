import type { Pulse } from '../../db/turns/lost/pulses.ts'

/** A worker whose pulse does not change for this long is considered stalled. */
export const stallTimeoutMs = 4000

/** Time without a beat after which pulses should be observed more often. */
const suspiciousMs = 1500

/** Maximum gap between two observations. After a longer gap, this process or the database may itself have stalled. */
const maxGapMs = 4000

type ObservedPulse = Pulse & { since: number }

/**
 * Detects workers whose event loop has stalled, by the clock of this process. Only time in which this process could read
 * pulses counts. After a gap, all observations start again.
 */
export function createStallDetector(now = (): number => performance.now()) {
  let observed = new Map<number, ObservedPulse>()
  let observedAt = Number.NEGATIVE_INFINITY

  return {
    /**
     * Returns the pulses that have not changed for `stallTimeoutMs`. Requires all current pulses, even if the list is
     * empty.
     */
    observe: (pulses: readonly Pulse[]): Pulse[] => {
      const time = now()
      const previous = time - observedAt > maxGapMs ? new Map<number, ObservedPulse>() : observed
      observedAt = time
      const current = pulses.map((pulse) => {
        const earlier = previous.get(pulse.processId)
        return { ...pulse, since: earlier?.beats === pulse.beats ? earlier.since : time }
      })
      observed = new Map(current.map((pulse) => [pulse.processId, pulse]))
      return current
        .filter(({ since }) => time - since >= stallTimeoutMs)
        .map(({ processId, beats }) => ({ processId, beats }))
    },
    /** True while a beat is overdue. */
    isSuspicious: (): boolean => [...observed.values()].some(({ since }) => observedAt - since >= suspiciousMs),
  }
}
