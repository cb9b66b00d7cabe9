import type { SweeperDeps } from './deps.ts'
import { sweeps } from '../list.ts'
import type { Election } from './election.ts'
import { groupByLoop, runSweeps } from './loop.ts'
import { createEachRow, createReport } from './rows.ts'

type SweeperInput = Omit<SweeperDeps, 'eachRow' | 'report'> & {
  /** Counts a row that could not be processed. */
  countFailure: (sweep: string) => void
  election: Pick<Election, 'untilElected'>
}

/**
 * Repairs every lost hand-over: queued runs, recorded stops, lost runs, dead slots, old partitions. Every action is
 * guarded by the row it changes, so two sweepers may run at the same time while the elected worker changes.
 */
export function startSweeper(given: SweeperInput): { close(): Promise<void> } {
  const closing = new AbortController()
  const { signal } = closing
  const { log, election } = given
  const report = createReport(given)
  const deps: SweeperDeps = { ...given, report, eachRow: createEachRow({ log, report, signal }) }
  const loops = groupByLoop(sweeps).map((group) => runSweeps({ deps, signal, election }, group))
  return {
    close: async () => {
      closing.abort()
      await Promise.all(loops)
    },
  }
}
