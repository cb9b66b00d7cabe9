import { median } from '../measure.ts'
import { readTreeCpu } from './usage.ts'

/** Measures the CPU time of named processes during work, round by round. Warm-up rounds are not counted. */
export function createMeter(parts: Readonly<Record<string, { pid: number }>>, { warmUp = 0 } = {}) {
  const names = Object.keys(parts)
  const sample = (): number[] => Object.values(parts).map(({ pid }) => readTreeCpu(pid))
  const rounds: number[][] = []
  const listCounted = (): number[][] => rounds.slice(warmUp)
  return {
    /** Measures one round. `countUnits` returns the number of units in the work, such as tokens or steps. */
    during: async <T>(work: () => Promise<T>, countUnits: (outcome: T) => number): Promise<T> => {
      const before = sample()
      const outcome = await work()
      const units = countUnits(outcome)
      rounds.push(sample().map((after, part) => (after - (before[part] ?? 0)) / units))
      return outcome
    },
    /** Returns the CPU time per unit of all processes together, in microseconds, by round. */
    computeSums: (): number[] => listCounted().map((round) => round.reduce((sum, part) => sum + part, 0)),
    /** Returns the median CPU time per unit of one process, in microseconds; 0 for a process that is not measured. */
    computeMedian: (name: string): number => {
      const index = names.indexOf(name)
      return index === -1 ? 0 : median(listCounted().map((round) => round[index] ?? 0))
    },
  }
}
