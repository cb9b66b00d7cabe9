import { setMaxListeners } from 'node:events'
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
 * Runs the sweeps, which repair lost work, such as queued runs, undelivered stops and lost runs. Each action is guarded by
 * the row that it changes, so two sweepers can run concurrently during an election.
 */
export function startSweeper(input: SweeperInput): { close(): Promise<void> } {
  const closing = new AbortController()
  // Each loop listens for the end.
  setMaxListeners(0, closing.signal)
  const { signal } = closing
  const { log, election } = input
  const report = createReport(input)
  const deps: SweeperDeps = { ...input, report, eachRow: createEachRow({ log, report, signal }) }
  const loops = groupByLoop(sweeps).map((group) => runSweeps({ deps, signal, election }, group))
  return {
    close: async () => {
      closing.abort()
      await Promise.all(loops)
    },
  }
}
