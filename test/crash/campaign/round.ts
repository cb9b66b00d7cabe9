import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '../../../dev/processes/processes.ts'
import { checkGuarantees } from '../check/index.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { collectRecords } from '../records/collect.ts'
import type { Injection } from '../faults/faults.ts'
import type { FaultKind, Nemesis } from '../faults/nemesis.ts'
import type { ExternalServices } from '../external-services/services.ts'
import type { Random } from '../../world/random.ts'
import type { Reading, Records, Violation } from '../records/records.ts'
import { startWorkload, type Mix } from '../users/workload.ts'

export type RoundOptions = {
  cluster: Cluster
  services: ExternalServices
  nemesis: Nemesis
  seed: number
  random: Random
  users: number
  mix?: Partial<Mix>
  /** Whether commands print the files of all earlier commands. */
  showsEffects?: boolean
  kinds: FaultKind[]
  /** Milliseconds between two injections. */
  pauseMs: () => number
  /** Number of accepted runs below which the round is invalid. */
  minRuns: number
  onInjection?: (injection: Injection) => void
}

export type Round = {
  records: Records
  injections: Injection[]
  violations: Violation[]
  /** Reasons why the round is invalid: unobserved faults, or responses that clients could not parse. */
  anomalies: string[]
  /** For each kill of a worker, the time until a client received the next frame of one of its runs. */
  recoveries: { kind: string; ms: number; runId: string; survivors: number }[]
}

const firstRunsTimeoutMs = 60_000
const allRunsTimeoutMs = 120_000

/** Returns at most one recovery: the first frame that a client received after the kill for a run of the killed worker. */
const listRecoveries = ({ fault, interrupted, survivors = 0 }: Injection, readings: Reading[]): Round['recoveries'] => {
  const next = interrupted.flatMap(({ runId, nextSeq }) =>
    readings
      .filter((reading) => reading.runId === runId)
      .flatMap(({ frames }) => frames.filter(({ index, at }) => index >= nextSeq && at >= fault.at))
      .map(({ at }) => ({ kind: fault.kind, ms: at - fault.at, runId, survivors })),
  )
  return next.sort((a, b) => a.ms - b.ms).slice(0, 1)
}

/**
 * Runs a workload under faults, waits until all parts are ready, and checks the records. The records are then
 * deleted.
 */
export const runRound = async (options: RoundOptions): Promise<Round> => {
  const { cluster, services, nemesis, random, seed } = options
  const startedAt = Date.now()
  services.requests.length = 0
  cluster.samples.length = 0
  const { db, serverSecret, loadBalancerUrl } = cluster
  const workload = await startWorkload({
    random: random.fork('workload'),
    apiUrls: loadBalancerUrl === undefined ? cluster.apiUrls : () => [loadBalancerUrl],
    db,
    serverSecret,
    users: options.users,
    ...(options.mix !== undefined && { mix: options.mix }),
    showsEffects: options.showsEffects === true,
    scraping: true,
  })
  const injections: Injection[] = []
  const recoveries: Promise<unknown>[] = []
  const anomalies: string[] = []
  const untilAccepted = (runs: number, timeoutMs: number) => waitFor(() => workload.acknowledged() >= runs, timeoutMs)
  try {
    await untilAccepted(Math.min(options.users, options.minRuns), firstRunsTimeoutMs)
    for (const kind of options.kinds) {
      const injection = await nemesis.inject(kind)
      injections.push(injection)
      recoveries.push(injection.recovered.catch((error: unknown) => anomalies.push(String(error))))
      options.onInjection?.(injection)
      await sleep(options.pauseMs())
    }
    await Promise.all(recoveries)
    await cluster.untilReady()
    await untilAccepted(options.minRuns, allRunsTimeoutMs)
  } finally {
    await workload.stop()
  }
  const faults = injections.map(({ fault }) => fault)
  const { samples } = cluster
  const records = await collectRecords({ seed, startedAt, workload, services, cluster, faults, samples })
  if (workload.acknowledged() < options.minRuns)
    anomalies.push(`only ${workload.acknowledged()} of ${options.minRuns} runs were accepted`)
  for (const fault of faults.filter(({ observed }) => !observed))
    anomalies.push(`${fault.kind} of ${fault.target} was not observed: ${fault.evidence}`)
  return {
    records,
    injections,
    violations: checkGuarantees(records),
    anomalies: [...anomalies, ...workload.unexpectedResponses],
    recoveries: injections.flatMap((injection) => listRecoveries(injection, workload.readings)),
  }
}
