import type { Operation, Violation } from '../records/records.ts'
import { concerns, isTerminal, violation, wasHeldUp, type Evidence, type RunEvidence } from './records/evidence.ts'

type Acknowledged = Operation & { answeredAt: number }

const isAcknowledged = (one: Operation): one is Acknowledged =>
  (one.kind === 'stop' || one.kind === 'delete') && one.status === 200 && one.answeredAt !== undefined

/** When a client first knew of the run: a stop that came before may have missed it. */
const knownSince = ({ row, readings }: RunEvidence, operations: readonly Operation[]): number =>
  Math.min(
    ...operations.filter((one) => one.runId === row.id && one.kind !== 'stop').map((one) => one.answeredAt ?? Infinity),
    ...readings.flatMap(({ frames }) => frames.slice(0, 1).map(({ at }) => at)),
  )

const isMeant = (stop: Acknowledged, run: RunEvidence, evidence: Evidence): boolean => {
  const { records, limits } = evidence
  const { row, endedAt } = run
  if (!concerns(stop, run, evidence) || endedAt < stop.requestedAt) return false
  if (knownSince(run, records.operations) <= stop.requestedAt) return true
  const { stopRequestedAt } = row
  return (
    stopRequestedAt !== null &&
    stopRequestedAt >= stop.requestedAt - limits.skewMs &&
    stopRequestedAt <= stop.answeredAt
  )
}

const ofStop = (stop: Acknowledged, run: RunEvidence, evidence: Evidence): string[] => {
  const { limits } = evidence
  const { row, endedAt, requests, toolCalls } = run
  const { answeredAt } = stop
  const found: string[] = []
  if (endedAt > answeredAt + limits.skewMs) found.push('was live after its stop was acknowledged')
  for (const { idempotencyKey, at, closedAt } of requests) {
    const late = at > answeredAt + limits.skewMs
    if (wasHeldUp(evidence, row.createdAt, closedAt ?? at)) continue
    if (late) found.push(`called the model for ${idempotencyKey} after its stop was acknowledged`)
    else if ((closedAt ?? Infinity) > Math.max(answeredAt, at) + limits.stopMs)
      found.push(`kept its model call ${idempotencyKey} open after its stop`)
  }
  for (const { toolCallId, startedAt } of toolCalls)
    if (startedAt !== null && startedAt > answeredAt + limits.skewMs)
      found.push(`started ${toolCallId} after its stop was acknowledged`)
  return found
}

/** Checks of the store alone: a stop wins over every other end, and nothing starts behind it. */
const ofRun = (run: RunEvidence, { limits, faultDuring }: Evidence): string[] => {
  const { row, endedAt, toolCalls } = run
  const { stopRequestedAt } = row
  if (stopRequestedAt === null || !isTerminal(row.status)) return []
  const found: string[] = []
  if (row.status !== 'cancelled') found.push(`ended as ${row.status} after a stop was recorded`)
  const took = endedAt - stopRequestedAt
  if (took > limits.stopMs && faultDuring(stopRequestedAt, endedAt) === undefined)
    found.push(`took ${took} ms to end after a stop was recorded`)
  for (const { toolCallId, startedAt } of toolCalls)
    if (startedAt !== null && startedAt > endedAt) found.push(`started ${toolCallId} after its end`)
  return found
}

/** G11: once a stop is acknowledged nothing begins, and what runs is over in time. */
export const checkStops = (evidence: Evidence): Violation[] => {
  const stops = evidence.records.operations.filter(isAcknowledged)
  return evidence.runs.flatMap((run) => {
    const meant = stops.filter((stop) => isMeant(stop, run, evidence))
    const found = [...meant.flatMap((stop) => ofStop(stop, run, evidence)), ...ofRun(run, evidence)]
    return [...new Set(found)].map((text) => violation('G11', run.row.id, text))
  })
}
