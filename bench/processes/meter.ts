import { median } from '../measure.ts'
import { readTreeCpu } from './usage.ts'

/** Measures the CPU time of named processes during work, round by round. Warm-up rounds are not counted. */
export function createMeter(parts: Readonly<Record<string, { pid: number }>>, { warmUp = 0 } = {}) {
  const names = Object.keys(parts)
  const sample = (): number[] => Object.values(parts).map(({ pid }) => readTreeCpu(pid))
  const spent: number[][] = []
  const counted = (): number[][] => spent.slice(warmUp)
  return {
    /** Measures one round. `piecesOf` returns the number of equal pieces of the work. */
    during: async <T>(work: () => Promise<T>, piecesOf: (outcome: T) => number): Promise<T> => {
      const before = sample()
      const outcome = await work()
      const pieces = piecesOf(outcome)
      spent.push(sample().map((after, part) => (after - (before[part] ?? 0)) / pieces))
      return outcome
    },
    /** Microseconds per piece in all processes together, by round. */
    sums: (): number[] => counted().map((each) => each.reduce((sum, part) => sum + part, 0)),
    /** Median microseconds per piece in one process; 0 for a process that is not measured. */
    medianOf: (name: string): number => {
      const index = names.indexOf(name)
      return index === -1 ? 0 : median(counted().map((each) => each[index] ?? 0))
    },
  }
}
