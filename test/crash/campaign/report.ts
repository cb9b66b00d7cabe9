import type { Print } from '../../../dev/say.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { explainRun, findRunIds } from './explain.ts'
import type { Injection } from '../faults/faults.ts'
import type { Round } from './round.ts'

/** Longer than the detection of a missing heartbeat and the start of a worker take. */
const slowRecoveryMs = 10_000
const maxLines = 20
const maxExplainedRuns = 3

export const describeInjection = ({ fault }: Injection): string => `${fault.kind} ${fault.target}: ${fault.evidence}`

const explain = async (cluster: Cluster, runIds: string[], print: Print): Promise<void> => {
  for (const runId of runIds.slice(0, maxExplainedRuns)) {
    print(`  Records of ${runId}:`)
    for (const line of await explainRun(cluster, runId)) print(`    ${line}`)
  }
}

/** Prints a line for the round, a line for each problem, and the records of the affected runs. */
export const reportRound = async (name: string, round: Round, cluster: Cluster, print: Print): Promise<void> => {
  const { records, injections, violations, anomalies, recoveries } = round
  const { runs } = records.store
  const durationSeconds = ((records.endedAt - records.startedAt) / 1000).toFixed(0)
  print(
    `${name}: ${injections.length} faults, ${runs.length} runs in ${durationSeconds} s, ` +
      `${violations.length} violations, ${anomalies.length} anomalies`,
  )
  for (const { guarantee, subject, text } of violations.slice(0, maxLines)) print(`  ${guarantee} ${subject}: ${text}`)
  for (const anomaly of anomalies.slice(0, maxLines)) print(`  ${anomaly}`)
  for (const { kind, ms, runId, survivors } of recoveries)
    if (survivors > 0 && ms > slowRecoveryMs)
      print(`  slow: ${runId} continued ${(ms / 1000).toFixed(1)} s after ${kind}, with another worker alive`)
  if (violations.length > 0) {
    print('  Faults of this round:')
    for (const injection of injections)
      print(`    ${new Date(injection.fault.at).toISOString()} ${describeInjection(injection)}`)
  }
  const failed = runs.filter(({ status, error }) => status === 'failed' && error !== 'The model call failed')
  for (const { id, error } of failed) print(`  ${id} failed: ${error}`)
  const runIds = violations.flatMap(({ subject, text }) => findRunIds(`${subject} ${text}`))
  await explain(cluster, [...new Set([...runIds, ...failed.map(({ id }) => id)])], print)
}
