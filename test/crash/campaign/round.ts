import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '../../../dev/processes/processes.ts'
import { checkPromises } from '../check/index.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { collectRecords } from '../records/collect.ts'
import type { Injection } from '../faults/faults.ts'
import type { FaultKind, Nemesis } from '../faults/nemesis.ts'
import type { OutsideWorld } from '../outside/outside.ts'
import type { Random } from '../../world/random.ts'
import type { Reading, Records, Violation } from '../records/records.ts'
import { startWorkload } from '../users/workload.ts'

export type RoundOptions = {
  cluster: Cluster
  outside: OutsideWorld
  nemesis: Nemesis
  seed: number
  random: Random
  users: number
  kinds: FaultKind[]
  /** Milliseconds between two injections. */
  pauseMs: () => number
  /** Fewer accepted runs make a round invalid. */
  minRuns: number
  onInjection?: (injection: Injection) => void
}

export type Round = {
  records: Records
  injections: Injection[]
  violations: Violation[]
  /** Why the round is invalid or doubtful: unobserved faults, or responses that clients could not parse. */
  complaints: string[]
  /** From each kill of a worker to the next frame that a client received of one of its runs. */
  recoveries: { kind: string; ms: number; runId: string; survivors: number }[]
}

const beginMs = 60_000
const runsMs = 120_000

/** Finds the first frame after those that the killed worker can have written, in whichever of its runs continued first. */
const listRecoveries = ({ fault, held, survivors = 0 }: Injection, readings: Reading[]): Round['recoveries'] => {
  const next = held.flatMap(({ runId, nextSeq }) =>
    readings
      .filter((reading) => reading.runId === runId)
      .flatMap(({ frames }) => frames.filter(({ index, at }) => index >= nextSeq && at >= fault.at))
      .map(({ at }) => ({ kind: fault.kind, ms: at - fault.at, runId, survivors })),
  )
  return next.sort((a, b) => a.ms - b.ms).slice(0, 1)
}

/**
 * Runs work under faults, waits until the system is at rest, and returns the checker's result. The records are deleted
 * afterwards.
 */
export const runRound = async (options: RoundOptions): Promise<Round> => {
  const { cluster, outside, nemesis, random, seed } = options
  const startedAt = Date.now()
  outside.requests.length = 0
  cluster.samples.length = 0
  const { db, serverSecret, apiUrls } = cluster
  const workload = await startWorkload({
    random: random.fork('workload'),
    apiUrls,
    db,
    serverSecret,
    users: options.users,
    scraping: true,
  })
  const injections: Injection[] = []
  const overs: Promise<unknown>[] = []
  const complaints: string[] = []
  const accepted = (least: number, deadlineMs: number) => waitFor(() => workload.acknowledged() >= least, deadlineMs)
  try {
    await accepted(Math.min(options.users, options.minRuns), beginMs)
    for (const kind of options.kinds) {
      const injection = await nemesis.inject(kind)
      injections.push(injection)
      overs.push(injection.over.catch((error: unknown) => complaints.push(String(error))))
      options.onInjection?.(injection)
      await sleep(options.pauseMs())
    }
    await Promise.all(overs)
    await cluster.whole()
    await accepted(options.minRuns, runsMs)
  } finally {
    await workload.stop()
  }
  const faults = injections.map(({ fault }) => fault)
  const { samples } = cluster
  const records = await collectRecords({ seed, startedAt, workload, outside, cluster, faults, samples })
  if (workload.acknowledged() < options.minRuns)
    complaints.push(`only ${workload.acknowledged()} of ${options.minRuns} runs were accepted`)
  for (const fault of faults.filter(({ observed }) => !observed))
    complaints.push(`${fault.kind} of ${fault.target} was not observed: ${fault.evidence}`)
  return {
    records,
    injections,
    violations: checkPromises(records),
    complaints: [...complaints, ...workload.surprises],
    recoveries: injections.flatMap((injection) => listRecoveries(injection, workload.readings)),
  }
}
