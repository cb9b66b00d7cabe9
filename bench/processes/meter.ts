import { median } from '../measure.ts'
import { readTreeCpu } from './usage.ts'

/** CPU time of named processes while work is done, round by round; warm-up rounds are not counted. */
export function createMeter(parts: Readonly<Record<string, { pid: number }>>, { warmUp = 0 } = {}) {
  const names = Object.keys(parts)
  const sample = (): number[] => Object.values(parts).map(({ pid }) => readTreeCpu(pid))
  const spent: number[][] = []
  const counted = (): number[][] => spent.slice(warmUp)
  return {
    /** Does the work, which is of so many equal pieces. */
    during: async <T>(work: () => Promise<T>, piecesOf: (outcome: T) => number): Promise<T> => {
      const before = sample()
      const outcome = await work()
      const pieces = piecesOf(outcome)
      spent.push(sample().map((after, part) => (after - (before[part] ?? 0)) / pieces))
      return outcome
    },
    /** Microseconds of a piece in all processes, in each round. */
    sums: (): number[] => counted().map((each) => each.reduce((sum, part) => sum + part, 0)),
    /** Microseconds of a piece in one process; 0 for one that has no part in it. */
    of: (name: string): number => {
      const place = names.indexOf(name)
      return place === -1 ? 0 : median(counted().map((each) => each[place] ?? 0))
    },
  }
}
