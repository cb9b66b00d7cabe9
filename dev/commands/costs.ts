import { closeSuite, runVitest } from '../suite.ts'

/**
 * `npm run costs`: runs test files one at a time and records their CPU seconds. The arguments select the files; by default,
 * all files run.
 */
export async function main(args: string[]): Promise<void> {
  return closeSuite('costs', await runVitest(['--maxWorkers=1', ...args], { RECORD_COSTS: '1' }))
}
