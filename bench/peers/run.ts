import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { CommandRefusedError, print } from '../../dev/say.ts'
import { pathInBench } from '../processes/child-process.ts'
import { describeHardware, writePeers } from '../report.ts'
import { aiSdk } from './adapters/ai-sdk.ts'
import { backline } from './adapters/backline.ts'
import { dbos } from './adapters/dbos.ts'
import { langgraph } from './adapters/langgraph.ts'
import { restate } from './adapters/restate.ts'
import { workflow } from './adapters/workflow.ts'
import { removeBuiltApps } from './parts/built.ts'
import type { Peer } from './peer.ts'
import { drawChart } from './report/chart.ts'
import { listFigures } from './report/figures.ts'
import { describePeers } from './report/section.ts'
import { listVersions } from './report/versions.ts'
import { measurePeers, type Size } from './rounds.ts'

const peersByName: Record<string, Peer> = { backline, 'ai-sdk': aiSdk, workflow, dbos, restate, langgraph }

/** A complete run takes about forty minutes, including the installation of the packages and the builds. */
const fullSize: Size = { rounds: 3, timeBudgetMs: 40 * 60_000, seconds: 3, turns: 10, slowRounds: 1 }
const quickSize: Size = { rounds: 1, timeBudgetMs: 13 * 60_000, seconds: 2, turns: 3, slowRounds: 0 }

/** `npm run bench:peers [-- names] [--quick]`: measures the peers. Writes the report only without names and `--quick`. */
export async function main(args: string[]): Promise<void> {
  const names = args.filter((arg) => !arg.startsWith('-'))
  const unknown = names.filter((name) => peersByName[name] === undefined)
  if (unknown.length > 0)
    throw new CommandRefusedError(
      `Unknown peer: ${unknown.join(', ')}. Choose from ${Object.keys(peersByName).join(', ')}.`,
    )
  const peers = Object.entries(peersByName).flatMap(([name, peer]) =>
    names.length === 0 || names.includes(name) ? [peer] : [],
  )
  const quick = args.includes('--quick')
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stop.abort(new CommandRefusedError('Stopped.')))
  installPackages()
  try {
    for (const peer of peers) await peer.prepare?.(print)
    const columns = await measurePeers(peers, quick ? quickSize : fullSize, print, stop.signal)
    const versions = listVersions(peers)
    const section = describePeers(columns, versions, describeHardware())
    print(section)
    if (quick || names.length > 0) print('docs/change/bench.md is unchanged: only complete runs are written.')
    else await writePeers(section, drawChart(columns), listFigures(columns, versions, describeHardware()))
  } finally {
    await removeBuiltApps()
  }
  process.exit()
}

/** Runs `npm ci` in this folder if the packages of the peers are missing or outdated. */
function installPackages(): void {
  const cwd = pathInBench('peers')
  if (isInstalled(cwd)) return
  print('Installing the packages of the peers (npm ci), which takes a minute or two …')
  const result = spawnSync('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], { cwd, stdio: 'inherit' })
  if (result.status !== 0)
    throw new CommandRefusedError('The packages of the peers could not be installed. See the output of npm.')
}

function isInstalled(cwd: string): boolean {
  const readPackages = (file: string) =>
    (JSON.parse(readFileSync(`${cwd}/${file}`, 'utf8')) as { packages: Record<string, { version?: string }> }).packages
  try {
    const lockedPackages = readPackages('package-lock.json')
    return Object.entries(readPackages('node_modules/.package-lock.json')).every(
      ([folder, { version }]) => lockedPackages[folder]?.version === version,
    )
  } catch {
    return false
  }
}
