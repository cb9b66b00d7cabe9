import { closeSuite, runVitest } from '../suite.ts'

/** Number of concurrent files: each waits half of its time for processes to start, for leases and for the time of what it asks. */
const filesAtOnce = '--maxWorkers=4'

/** Kills, pressure, deploys, all sandbox drivers and all clients; with arguments only the files that they name. */
export async function main(args: string[]): Promise<void> {
  return closeSuite('proof', await runVitest(['--project', 'proof', filesAtOnce, ...args]))
}
