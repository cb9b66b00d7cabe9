import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { print } from '../../../../dev/say.ts'
import { createRandom, type Random } from '../../../world/random.ts'
import { buildWith, guarded } from '../../cluster/builds.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { createNemesis, faultKinds, fleetFaultKinds, readKinds, type FaultKind } from '../../faults/nemesis.ts'
import type { ExternalServices } from '../../external-services/services.ts'
import type { Mix } from '../../users/workload.ts'
import { conclude, newSeed, readArguments, readCount, withCluster } from '../command.ts'
import { describeInjection, reportRound } from '../report.ts'
import { runRound } from '../round.ts'
import { createSummary } from '../summary.ts'
import { awaitDeletions } from './deletions.ts'
import { countLosses, formatResumptions, listCommandResumptions, type CommandResumption } from './resumptions.ts'

const help = `npm run fleet:chaos -- [options]: runs several simulated machines under faults and checks their records.

  --minutes N         duration of the faults (default 10)
  --every N           seconds between two faults (default 20)
  --machine-kills N   loses a machine with its disk N times, and injects no other faults
  --kinds A,B         injects only these kinds of fault
  --machines N        machines, each with a data directory, an API and a worker (default 3)
  --members N         processes of the Temporal server (default 3)
  --users N           concurrent virtual users (default 9)
  --seed N            repeats the choices of an earlier run
  --records FOLDER    writes the records of each round to a file

Kinds: ${[...fleetFaultKinds, ...faultKinds].join(', ')}.
A deploy alternates a process between two builds. The exit code is 1 if a guarantee was violated, a fault was not
observed, another anomaly occurred, a log contains an error, or a machine has files of a deleted session.`

const roundMs = 300_000
const runsPerRound = 10
/** Commands and deletions are more frequent than in other campaigns. */
const fleetMix: Partial<Mix> = { tools: 45, delete: 5, conflict: 3, duplicate: 3, fault: 6 }
/** Share of the faults that affect machines. */
const machineFaultShare = 0.5

type Options = {
  seed: number
  plan: FaultKind[]
  everyMs: number
  machines: number
  members: number
  users: number
  recordsFolder: string | undefined
}

const drawKind = (random: Random, kinds: readonly FaultKind[]): FaultKind => {
  const machineKinds = kinds.filter((kind) => fleetFaultKinds.some((fleetKind) => fleetKind === kind))
  const others = kinds.filter((kind) => !machineKinds.includes(kind))
  if (others.length === 0) return random.pick(machineKinds)
  return random.pick(machineKinds.length > 0 && random.chance(machineFaultShare) ? machineKinds : others)
}

const readOptions = (flags: Record<string, string | undefined>): Options => {
  const seed = readCount('seed', flags['seed'], newSeed())
  const everyMs = readCount('every', flags['every'], 20) * 1000
  const minutes = readCount('minutes', flags['minutes'], 10)
  const machineKills = readCount('machine-kills', flags['machine-kills'], 0)
  const kinds = readKinds(flags['kinds'], [...fleetFaultKinds, ...faultKinds])
  const random = createRandom(seed).fork('plan')
  const count = machineKills > 0 ? machineKills : Math.ceil((minutes * 60_000) / everyMs)
  return {
    seed,
    plan: Array.from({ length: count }, () => (machineKills > 0 ? 'machine' : drawKind(random, kinds))),
    everyMs,
    machines: readCount('machines', flags['machines'], 3),
    members: readCount('members', flags['members'], 3),
    users: readCount('users', flags['users'], 9),
    recordsFolder: flags['records'],
  }
}

/** Returns a function that returns the time until the next fault is due, in milliseconds. */
const createPauses = (everyMs: number): (() => number) => {
  let due = Date.now()
  return () => {
    due = Math.max(due + everyMs, Date.now())
    return due - Date.now()
  }
}

const runCampaign = async (options: Options, cluster: Cluster, services: ExternalServices): Promise<boolean> => {
  const { seed, plan, everyMs, users } = options
  const random = createRandom(seed)
  const summary = createSummary()
  const startedAt = Date.now()
  const elapsed = (): string => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`
  const currentBuild = cluster.builtOf('worker-1')
  const nemesis = createNemesis({
    cluster,
    random: random.fork('nemesis'),
    requests: services.requests,
    temporalDownMs: 8000,
    builds: [currentBuild, { ...currentBuild, workflowBundle: await buildWith(guarded) }],
  })
  const faultsPerRound = Math.max(1, Math.round(roundMs / everyMs))
  const resumptions: CommandResumption[] = []
  let [anomalies, lost, announced, deleted, remainingFolders] = [0, 0, 0, 0, 0]
  for (let start = 0; start < plan.length; start += faultsPerRound) {
    const kinds = plan.slice(start, start + faultsPerRound)
    const round = await runRound({
      cluster,
      services,
      nemesis,
      seed,
      random: random.fork(`round at ${start}`),
      users,
      mix: fleetMix,
      showsEffects: true,
      kinds,
      pauseMs: createPauses(everyMs),
      minRuns: runsPerRound,
      onInjection: (injection) => print(`  ${elapsed()} ${describeInjection(injection)}`),
    })
    summary.add(round)
    if (options.recordsFolder !== undefined)
      await writeFile(join(options.recordsFolder, `records-${seed}-${start}.json`), JSON.stringify(round.records))
    anomalies += round.anomalies.length
    resumptions.push(...listCommandResumptions(round.records))
    const losses = countLosses(round.records)
    lost += losses.lost
    announced += losses.announced
    await reportRound(`${elapsed()}, fault ${start + kinds.length} of ${plan.length}`, round, cluster, print)
    const deletions = await awaitDeletions(cluster, round.records)
    deleted += deletions.deleted
    remainingFolders += deletions.remaining.length
    for (const line of deletions.remaining) print(`  ${line}`)
  }
  const errorLines = cluster.errorLines()
  for (const line of errorLines.slice(0, 20)) print(`  ${line}`)
  const { violations } = summary.totals
  print(`\n${summary.table()}\n\n${summary.recoveries()}`)
  print(formatResumptions(resumptions))
  print(
    `${lost} sandboxes recreated, ${announced} announcements; ${deleted} sessions deleted, ${remainingFolders} folders not removed.`,
  )
  print(
    `Seed ${seed}: ${violations} violations, ${anomalies} anomalies, ${errorLines.length} error log lines, ` +
      `${((Date.now() - startedAt) / 60_000).toFixed(1)} minutes.`,
  )
  return violations + anomalies + errorLines.length + remainingFolders === 0
}

export const main = async (args: string[]): Promise<void> => {
  const names = ['minutes', 'every', 'machine-kills', 'kinds', 'machines', 'members', 'users', 'seed', 'records']
  const flags = readArguments(args, names)
  if (flags['help'] !== undefined) {
    print(help)
    return
  }
  const options = readOptions(flags)
  const { machines, members } = options
  print(`Seed ${options.seed}: ${options.plan.length} faults.`)
  conclude(
    await withCluster({ machines, members, engine: 'server', store: 's3', log: print }, (cluster, services) =>
      runCampaign(options, cluster, services),
    ),
  )
}
