import type { Pulse } from '../../db/turns/pulses.ts'

/** A pulse that stands still for this long belongs to a stalled worker. */
export const stalledMs = 4000

/** Time without a beat after which observations should be frequent. */
const suspiciousMs = 1500

/** A longer gap between two observations means that this process or the database stood still itself. */
const maxGapMs = 4000

type Seen = Pulse & { since: number }

/**
 * Detects workers whose event loop stands still. Only the clock of this process counts, and only time in which it could
 * read pulses: after a gap every observation starts anew.
 */
export function createStallDetector(now = (): number => performance.now()) {
  let seen = new Map<number, Seen>()
  let lastAt = Number.NEGATIVE_INFINITY

  return {
    /** Returns the pulses that have stood still for too long. Call it with all pulses, also with none. */
    observe: (pulses: readonly Pulse[]): Pulse[] => {
      const at = now()
      const known = at - lastAt > maxGapMs ? new Map<number, Seen>() : seen
      lastAt = at
      const current = pulses.map((pulse) => {
        const earlier = known.get(pulse.processId)
        return { ...pulse, since: earlier?.beats === pulse.beats ? earlier.since : at }
      })
      seen = new Map(current.map((pulse) => [pulse.processId, pulse]))
      return current
        .filter(({ since }) => at - since >= stalledMs)
        .map(({ processId, beats }) => ({ processId, beats }))
    },
    /** True while a beat is overdue. */
    isSuspicious: (): boolean => [...seen.values()].some(({ since }) => lastAt - since >= suspiciousMs),
  }
}
