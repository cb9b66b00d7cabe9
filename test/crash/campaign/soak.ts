import { print } from '../../../dev/say.ts'
import { countRuns, measureTables, type TableSize } from './growth/bloat.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { conclude, newSeed, readArguments, readCount, withCluster } from './command.ts'
import { listLives, findLongestLives, type Life } from './growth/growth.ts'
import { createNemesis, faultKinds, type FaultKind } from '../faults/nemesis.ts'
import type { ExternalServices } from '../external-services/services.ts'
import { createRandom } from '../../world/random.ts'
import { reportRound } from './report.ts'
import { runRound } from './round.ts'
import type { PartSample } from '../cluster/samples.ts'
import { alignTable, createSummary } from './summary.ts'

const help = `npm run soak -- [options]: runs mixed load with occasional faults for a long time and measures growth.

  --minutes N    duration (default 30)
  --every N      seconds between two faults (default 30)
  --seed N       repeats the choices of an earlier run
  --users N      concurrent virtual users (default 12)

In the first and the last fifth of the time, every part may be killed. In between, one worker, one API, Postgres and
Temporal keep running, so that growth is measurable. Memory is measured in the second half of a lifetime. The exit code is 1
if a guarantee was violated, a fault was not observed, a log contains an unhandled rejection or a fatal error, or
memory, open files or dead rows keep growing.`

const faultsPerRound = 4
const serverFaultKinds: readonly FaultKind[] = ['postgres', 'temporal', 'all']
/** The growth rate of a shorter lifetime is not meaningful. */
const minGrowthMinutes = 10
const maxMbPerHour = 120
const maxNewFiles = 30
const maxDeadRows = 50_000

type SoakOptions = { minutes: number; everyMs: number; seed: number; users: number }

const formatLives = (lives: Life[]): string =>
  alignTable([
    ['longest lifetime of', 'minutes', 'MB first', 'last', 'max', 'MB/hour', 'open files first', 'last'],
    ...lives.map((life) => [
      life.part,
      ...[life.minutes, life.firstMb, life.lastMb, life.highestMb, life.mbPerHour].map((value) => value.toFixed(1)),
      ...[life.firstFiles, life.lastFiles].map((value) => value.toFixed(0)),
    ]),
  ])

const formatKilobytes = (bytes: number): string => (bytes / 1024).toFixed(0)

const formatTables = (before: TableSize[], after: TableSize[], runs: number): string => {
  const computeGrowth = ({ table, bytes }: TableSize): number =>
    bytes - (before.find((other) => other.table === table)?.bytes ?? 0)
  return alignTable([
    ['table', 'rows', 'dead', 'KB', 'KB per 1,000 runs'],
    ...after
      .filter(({ bytes }) => bytes > 100_000)
      .map((size) => [
        size.table,
        String(size.rows),
        String(size.dead),
        formatKilobytes(size.bytes),
        runs === 0 ? '-' : formatKilobytes((computeGrowth(size) * 1000) / runs),
      ]),
  ])
}

const listGrowth = (lives: Life[], tables: TableSize[]): string[] => [
  ...lives
    .filter(({ minutes, mbPerHour }) => minutes >= minGrowthMinutes && mbPerHour > maxMbPerHour)
    .map(({ part, mbPerHour }) => `${part} grows by ${mbPerHour.toFixed(0)} MB an hour`),
  ...lives
    .filter((life) => life.minutes >= minGrowthMinutes && life.lastFiles - life.firstFiles > maxNewFiles)
    .map(
      ({ part, firstFiles, lastFiles }) =>
        `${part} has ${lastFiles.toFixed(0)} open files, ${firstFiles.toFixed(0)} at the start`,
    ),
  ...tables
    .filter(({ rows, dead }) => dead > maxDeadRows && dead > rows)
    .map(({ table, dead, rows }) => `${table} has ${dead} dead and ${rows} live rows`),
]

const runSoak = async (options: SoakOptions, cluster: Cluster, services: ExternalServices): Promise<boolean> => {
  const random = createRandom(options.seed)
  const summary = createSummary()
  const samples: PartSample[] = []
  const startedAt = Date.now()
  const durationMs = options.minutes * 60_000
  const elapsedShare = (): number => (Date.now() - startedAt) / durationMs
  const isQuiet = (): boolean => elapsedShare() > 0.2 && elapsedShare() < 0.8
  const nemesis = createNemesis({
    cluster,
    random: random.fork('nemesis'),
    requests: services.requests,
    temporalDownMs: 5000,
    spared: () => (isQuiet() ? [...cluster.workers().slice(0, 1), ...cluster.apis().slice(0, 1)] : []),
  })
  let anomalies = 0
  let tablesBefore: TableSize[] = []
  let runsBefore = 0
  for (let number = 1; elapsedShare() < 1; number++) {
    const roundRandom = random.fork(`round ${number}`)
    const choices = roundRandom.fork('kinds')
    const kinds = faultKinds.filter((kind) => !isQuiet() || !serverFaultKinds.includes(kind))
    const round = await runRound({
      cluster,
      services,
      nemesis,
      seed: options.seed,
      random: roundRandom,
      users: options.users,
      kinds: Array.from({ length: faultsPerRound }, () => choices.pick(kinds)),
      pauseMs: () => options.everyMs,
      minRuns: 10,
    })
    samples.push(...cluster.samples)
    anomalies += round.anomalies.length
    summary.add(round)
    await reportRound(
      `round ${number}, ${(elapsedShare() * options.minutes).toFixed(1)} minutes`,
      round,
      cluster,
      print,
    )
    if (number > 1) continue
    tablesBefore = await measureTables(cluster.db)
    runsBefore = await countRuns(cluster.db)
  }
  const tables = await measureTables(cluster.db)
  const runs = (await countRuns(cluster.db)) - runsBefore
  const lives = findLongestLives(listLives(samples))
  const errorLines = cluster.errorLines()
  const growingValues = listGrowth(lives, tables)
  for (const line of [...errorLines.slice(0, 20), ...growingValues]) print(`  ${line}`)
  print(
    `\n${summary.table()}\n\n${summary.recoveries()}\n\n${formatLives(lives)}\n\n${formatTables(tablesBefore, tables, runs)}\n`,
  )
  const { violations } = summary.totals
  print(
    `Seed ${options.seed}: ${violations} violations, ${anomalies} anomalies, ${errorLines.length} error log lines, ` +
      `${growingValues.length} growing values, ${options.minutes} minutes.`,
  )
  return violations + anomalies + errorLines.length + growingValues.length === 0
}

export const main = async (args: string[]): Promise<void> => {
  const flags = readArguments(args, ['minutes', 'every', 'seed', 'users'])
  if (flags['help'] !== undefined) {
    print(help)
    return
  }
  const options: SoakOptions = {
    minutes: readCount('minutes', flags['minutes'], 30),
    everyMs: readCount('every', flags['every'], 30) * 1000,
    seed: readCount('seed', flags['seed'], newSeed()),
    users: readCount('users', flags['users'], 12),
  }
  print(`Seed ${options.seed}: ${options.minutes} minutes.`)
  // The cluster has no `log`, because the lines of each round include kills and restarts.
  const isSuccess = await withCluster({ workers: 2, apis: 2 }, (cluster, services) =>
    runSoak(options, cluster, services),
  )
  conclude(isSuccess)
}
