import { closeSuite, runVitest } from '../suite.ts'

/**
 * `npm run costs`: measures and records the CPU seconds of all test files, or of those that the arguments name, one at a
 * time.
 */
export async function main(args: string[]): Promise<void> {
  return closeSuite('costs', await runVitest(['--maxWorkers=1', ...args], { RECORD_COSTS: '1' }))
}
