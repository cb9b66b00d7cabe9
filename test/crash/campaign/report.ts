import type { Print } from '../../../dev/say.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { explainRun, findRunIds } from './explain.ts'
import type { Injection } from '../faults/faults.ts'
import type { Round } from './round.ts'

/** Exceeds the time in which a lost heartbeat is detected and a worker starts. */
const slowRecoveryMs = 10_000
const maxLines = 20
const maxExplainedRuns = 3

export const describeInjection = ({ fault }: Injection): string => `${fault.kind} ${fault.target}: ${fault.evidence}`

const explain = async (cluster: Cluster, runIds: string[], say: Print): Promise<void> => {
  for (const runId of runIds.slice(0, maxExplainedRuns)) {
    say(`  Records of ${runId}:`)
    for (const line of await explainRun(cluster, runId)) say(`    ${line}`)
  }
}

/** Prints a line for the round, a line for each problem, and the records of the affected runs. */
export const reportRound = async (name: string, round: Round, cluster: Cluster, say: Print): Promise<void> => {
  const { records, injections, violations, anomalies, recoveries } = round
  const { runs } = records.store
  const durationSeconds = ((records.endedAt - records.startedAt) / 1000).toFixed(0)
  say(
    `${name}: ${injections.length} faults, ${runs.length} runs in ${durationSeconds} s, ` +
      `${violations.length} violations, ${anomalies.length} anomalies`,
  )
  for (const { guarantee, subject, text } of violations.slice(0, maxLines)) say(`  ${guarantee} ${subject}: ${text}`)
  for (const anomaly of anomalies.slice(0, maxLines)) say(`  ${anomaly}`)
  for (const { kind, ms, runId, survivors } of recoveries)
    if (survivors > 0 && ms > slowRecoveryMs)
      say(`  slow: ${runId} continued ${(ms / 1000).toFixed(1)} s after ${kind}, with another worker alive`)
  if (violations.length > 0) {
    say('  Faults of this round:')
    for (const injection of injections)
      say(`    ${new Date(injection.fault.at).toISOString()} ${describeInjection(injection)}`)
  }
  const failed = runs.filter(({ status, error }) => status === 'failed' && error !== 'The model call failed')
  for (const { id, error } of failed) say(`  ${id} failed: ${error}`)
  const runIds = violations.flatMap(({ subject, text }) => findRunIds(`${subject} ${text}`))
  await explain(cluster, [...new Set([...runIds, ...failed.map(({ id }) => id)])], say)
}
