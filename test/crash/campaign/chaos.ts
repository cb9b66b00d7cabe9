import { print } from '../../../dev/say.ts'
import { conclude, newSeed, readArguments, readCount, withCluster } from './command.ts'
import { createNemesis, faultKinds, readKinds, type FaultKind } from '../faults/nemesis.ts'
import { createRandom, shuffle } from '../../world/random.ts'
import { describeInjection, reportRound } from './report.ts'
import { runRound } from './round.ts'
import { runStops } from '../races/stops.ts'
import { createSummary } from './summary.ts'

const help = `npm run chaos -- [options]: runs real processes under faults and checks their records.

  --kills N      N kills of the worker, N/3 kills each of the API, Postgres and Temporal, and N/30 faults of
                 every other kind. Default 30. --kills 300 takes an hour or more.
  --kinds A,B    injects only these kinds of fault, in the numbers above
  --only A       injects only this kind of fault, as many times as --kills
  --stops N      injects no faults, but races N stops with ends, tools, retries, lost workers, starts, stops,
                 deletions, queued messages, approvals, versions and summaries
  --seed N       repeats the choices of an earlier run
  --from N       starts at round N of the plan; with the seed of an interrupted run, continues that run
  --users N      concurrent virtual users (default 16)
  --workers N, --apis N      processes (default 2 and 2)
  --temporal-down SECONDS    maximum downtime of Temporal (default 10)
  --temporal-down-at-least SECONDS  minimum downtime of Temporal (default 0)
  --postgres-down SECONDS    downtime of Postgres (default 0)

Kinds: ${faultKinds.join(', ')}.
The exit code is 1 if a guarantee was violated or a fault was not observed.`

const faultsPerRound = 25
const runsPerRound = 10

/** Returns the number of faults of a kind for `kills` kills of the worker. */
const countFaults = (kind: FaultKind, kills: number): number => {
  if (kind === 'worker') return kills
  return kind === 'api' || kind === 'postgres' || kind === 'temporal' ? Math.ceil(kills / 3) : Math.ceil(kills / 30)
}

type ChaosOptions = {
  seed: number
  plan: FaultKind[]
  /** The first round, counted from 1. */
  from: number
  users: number
  workers: number
  apis: number
  temporalDownMs: number
  minTemporalDownMs: number
  postgresDownMs: number
}

const readOptions = (flags: Record<string, string | undefined>): ChaosOptions => {
  const seed = readCount('seed', flags['seed'], newSeed())
  const kills = readCount('kills', flags['kills'], 30)
  const minTemporalDownMs = readCount('temporal-down-at-least', flags['temporal-down-at-least'], 0) * 1000
  const plan =
    flags['only'] === undefined
      ? readKinds(flags['kinds'], faultKinds).flatMap((kind) =>
          Array.from({ length: countFaults(kind, kills) }, () => kind),
        )
      : readKinds(flags['only'], faultKinds).flatMap((kind) => Array.from({ length: kills }, () => kind))
  return {
    seed,
    plan: shuffle(createRandom(seed).fork('plan'), plan),
    from: Math.max(1, readCount('from', flags['from'], 1)),
    users: readCount('users', flags['users'], 16),
    workers: readCount('workers', flags['workers'], 2),
    apis: readCount('apis', flags['apis'], 2),
    temporalDownMs: Math.max(minTemporalDownMs, readCount('temporal-down', flags['temporal-down'], 10) * 1000),
    minTemporalDownMs,
    postgresDownMs: readCount('postgres-down', flags['postgres-down'], 0) * 1000,
  }
}

/** Runs `npm run chaos`. Resolves to true if every guarantee held and every fault was observed. */
export const runChaos = (options: ChaosOptions): Promise<boolean> => {
  const { seed, plan, from, users, workers, apis, ...downtimes } = options
  return withCluster({ workers, apis, log: print }, async (cluster, services) => {
    const random = createRandom(seed)
    const summary = createSummary()
    const startedAt = Date.now()
    let anomalies = 0
    const nemesis = createNemesis({
      cluster,
      random: random.fork('nemesis'),
      requests: services.requests,
      ...downtimes,
    })
    for (let number = from; (number - 1) * faultsPerRound < plan.length; number++) {
      const start = (number - 1) * faultsPerRound
      const kinds = plan.slice(start, start + faultsPerRound)
      const roundRandom = random.fork(`round ${number}`)
      const pauses = roundRandom.fork('pauses')
      const round = await runRound({
        cluster,
        services,
        nemesis,
        seed,
        random: roundRandom,
        users,
        kinds,
        pauseMs: () => pauses.between(200, 1800),
        minRuns: runsPerRound,
        onInjection: (injection) =>
          print(`  ${((Date.now() - startedAt) / 1000).toFixed(1)} s ${describeInjection(injection)}`),
      })
      anomalies += round.anomalies.length
      summary.add(round)
      await reportRound(`round ${number}, fault ${start + kinds.length} of ${plan.length}`, round, cluster, print)
    }
    const errorLines = cluster.errorLines()
    for (const line of errorLines.slice(0, 20)) print(`  ${line}`)
    print(`\n${summary.table()}\n\n${summary.recoveries()}\n`)
    const { violations } = summary.totals
    print(
      `Seed ${seed}: ${violations} violations, ${anomalies} anomalies, ${errorLines.length} error log lines, ` +
        `${((Date.now() - startedAt) / 60_000).toFixed(1)} minutes.`,
    )
    return violations + anomalies + errorLines.length === 0
  })
}

export const main = async (args: string[]): Promise<void> => {
  const names = [
    'kills',
    'kinds',
    'only',
    'stops',
    'seed',
    'from',
    'users',
    'workers',
    'apis',
    'temporal-down',
    'temporal-down-at-least',
    'postgres-down',
  ]
  const flags = readArguments(args, names)
  if (flags['help'] !== undefined) {
    print(help)
    return
  }
  const options = readOptions(flags)
  if (flags['stops'] !== undefined) {
    const count = readCount('stops', flags['stops'], 1000)
    print(`Seed ${options.seed}: ${count} stops.`)
    conclude(await runStops({ ...options, count }))
  }
  print(`Seed ${options.seed}: ${options.plan.length} faults.`)
  conclude(await runChaos(options))
}
