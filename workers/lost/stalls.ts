import type { Pulse } from '../../db/turns/lost/pulses.ts'

/** A worker whose pulse does not change for this long counts as stalled. */
export const stallTimeoutMs = 4000

/** Time without a beat after which pulses should be observed more often. */
const suspiciousMs = 1500

/** After a longer gap between two observations, this process or the database may have stalled itself. */
const maxGapMs = 4000

type ObservedPulse = Pulse & { since: number }

/**
 * Detects workers whose event loop has stalled, by the clock of this process. Only time in which it could read pulses counts:
 * after a gap, every observation starts anew.
 */
export function createStallDetector(now = (): number => performance.now()) {
  let observed = new Map<number, ObservedPulse>()
  let observedAt = Number.NEGATIVE_INFINITY

  return {
    /** Returns the pulses that have not changed for too long. Call it with all pulses, even if there are none. */
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
