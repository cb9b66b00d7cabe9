import { closeSuite, runVitest } from '../suite.ts'

/** Measures what test files cost, one at a time, and records it; with arguments of the files that they name. */
export async function main(args: string[]): Promise<void> {
  return closeSuite('costs', await runVitest(['--maxWorkers=1', ...args], { RECORD_COSTS: '1' }))
}
