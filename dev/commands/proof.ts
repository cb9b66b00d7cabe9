import { closeSuite, runVitest } from '../suite.ts'

/** Number of concurrent test files. Each file spends half of its time waiting for processes, leases and timeouts. */
const maxConcurrentFiles = '--maxWorkers=4'

/**
 * `npm run proof`: runs all `*.proof.ts` files and the tests of repositories on the store, or the test files that the
 * arguments name.
 */
export async function main(args: string[]): Promise<void> {
  return closeSuite('proof', await runVitest(['--project', 'proof', '--project', 'store', maxConcurrentFiles, ...args]))
}
