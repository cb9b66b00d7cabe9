import { median } from '../measure.ts'
import { readTreeCpu } from './usage.ts'

/** Processor time of named processes while work is done, kept round by round. */
export function createMeter(parts: Readonly<Record<string, { pid: number }>>) {
  const names = Object.keys(parts)
  const sample = (): number[] => Object.values(parts).map(({ pid }) => readTreeCpu(pid) / 1000)
  const spent: number[][] = []
  return {
    /** Does the work, of so many equal pieces. */
    during: async <T>(pieces: number, work: () => Promise<T>): Promise<T> => {
      const before = sample()
      const outcome = await work()
      spent.push(sample().map((after, part) => (after - (before[part] ?? 0)) / pieces))
      return outcome
    },
    /** Milliseconds of a piece in all processes, in each round but the first, which warms up. */
    sums: (): number[] => spent.slice(1).map((each) => each.reduce((sum, part) => sum + part, 0)),
    /** Milliseconds of a piece in one process; 0 for one that has no part in it. */
    of: (name: string): number => {
      const place = names.indexOf(name)
      return place === -1 ? 0 : median(spent.slice(1).map((each) => each[place] ?? 0))
    },
  }
}
