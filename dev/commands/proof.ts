import { closeSuite, runVitest } from '../suite.ts'

/** Kills, pressure, deploys, all sandbox drivers and all clients; with arguments only the files that they name. */
export async function main(args: string[]): Promise<void> {
  return closeSuite('proof', await runVitest(['--project', 'proof', ...args]))
}
