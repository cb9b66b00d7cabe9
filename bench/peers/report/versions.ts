import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cliVersion } from '../../../dev/stack/temporal/cli.ts'
import { pathInBench } from '../../processes/child-process.ts'
import type { Peer } from '../peer.ts'
import type { Versions } from './section.ts'

/** Lists the versions of the packages and engine of each peer. */
export function listVersions(peers: Peer[]): Versions {
  const dependencies = { ...readDependencies('../package.json'), ...readDependencies('peers/package.json') }
  return Object.fromEntries(
    peers.map(({ name, packages, engine }) => [
      name,
      [...packages.map((each) => `${each} ${dependencies[each] ?? ''}`), ...listEngineVersions(engine)].join(', '),
    ]),
  )
}

function readDependencies(file: string): Record<string, string> {
  return (JSON.parse(readFileSync(pathInBench(file), 'utf8')) as { dependencies: Record<string, string> }).dependencies
}

function listEngineVersions(engine: Peer['engine']): string[] {
  if (engine === 'temporal') return [`Temporal CLI ${cliVersion}`]
  if (engine !== 'redis') return []
  const version = /v=([\d.]+)/.exec(spawnSync('redis-server', ['--version'], { encoding: 'utf8' }).stdout)?.[1]
  return [`Redis ${version ?? ''}`]
}
