import { closeSuite, runVitest } from '../suite.ts'

/** Kills, pressure, deploys, all sandbox drivers and all clients; with arguments only the files that they name. */
export const main = async (args: string[]): Promise<void> =>
  closeSuite('proof', await runVitest(['--project', 'proof', ...args]))
