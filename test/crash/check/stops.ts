import type { Operation, Violation } from '../records/records.ts'
import {
  concerns,
  isTerminal,
  createViolation,
  wasHeldUp,
  type Evidence,
  type RunEvidence,
} from './records/evidence.ts'

type AcknowledgedStop = Operation & { answeredAt: number }

const isAcknowledged = (operation: Operation): operation is AcknowledgedStop =>
  (operation.kind === 'stop' || operation.kind === 'delete') &&
  operation.status === 200 &&
  operation.answeredAt !== undefined

/** Returns the time at which a client first received the id of the run. An earlier stop may not apply to the run. */
const findKnownSince = ({ row, readings }: RunEvidence, operations: readonly Operation[]): number =>
  Math.min(
    ...operations
      .filter((operation) => operation.runId === row.id && operation.kind !== 'stop')
      .map((operation) => operation.answeredAt ?? Infinity),
    ...readings.flatMap(({ frames }) => frames.slice(0, 1).map(({ at }) => at)),
  )

const isTargeted = (stop: AcknowledgedStop, run: RunEvidence, evidence: Evidence): boolean => {
  const { records, limits } = evidence
  const { row, endedAt } = run
  if (!concerns(stop, run, evidence) || endedAt < stop.requestedAt) return false
  if (findKnownSince(run, records.operations) <= stop.requestedAt) return true
  const { stopRequestedAt } = row
  return (
    stopRequestedAt !== null &&
    stopRequestedAt >= stop.requestedAt - limits.skewMs &&
    stopRequestedAt <= stop.answeredAt
  )
}

const checkStop = (stop: AcknowledgedStop, run: RunEvidence, evidence: Evidence): string[] => {
  const { limits } = evidence
  const { row, endedAt, requests, toolCalls } = run
  const { answeredAt } = stop
  const problems: string[] = []
  if (endedAt > answeredAt + limits.skewMs) problems.push('was active after its stop was acknowledged')
  for (const { idempotencyKey, at, closedAt } of requests) {
    const isLate = at > answeredAt + limits.skewMs
    if (wasHeldUp(evidence, row.createdAt, closedAt ?? at)) continue
    if (isLate) problems.push(`called the model for ${idempotencyKey} after its stop was acknowledged`)
    else if ((closedAt ?? Infinity) > Math.max(answeredAt, at) + limits.stopMs)
      problems.push(`kept its model call ${idempotencyKey} open after its stop`)
  }
  for (const { toolCallId, startedAt } of toolCalls)
    if (startedAt !== null && startedAt > answeredAt + limits.skewMs)
      problems.push(`started ${toolCallId} after its stop was acknowledged`)
  return problems
}

/** Checks the stored data of a stopped run: it is cancelled in time, and no tool starts after its end. */
const checkRun = (run: RunEvidence, { limits, faultDuring }: Evidence): string[] => {
  const { row, endedAt, toolCalls } = run
  const { stopRequestedAt } = row
  if (stopRequestedAt === null || !isTerminal(row.status)) return []
  const problems: string[] = []
  if (row.status !== 'cancelled') problems.push(`ended as ${row.status} after a stop was recorded`)
  const durationMs = endedAt - stopRequestedAt
  if (durationMs > limits.stopMs && faultDuring(stopRequestedAt, endedAt) === undefined)
    problems.push(`took ${durationMs} ms to end after a stop was recorded`)
  for (const { toolCallId, startedAt } of toolCalls)
    if (startedAt !== null && startedAt > endedAt) problems.push(`started ${toolCallId} after its end`)
  return problems
}

/** G11: once a stop is acknowledged, nothing starts, and running work ends in time. */
export const checkStops = (evidence: Evidence): Violation[] => {
  const stops = evidence.records.operations.filter(isAcknowledged)
  return evidence.runs.flatMap((run) => {
    const targeted = stops.filter((stop) => isTargeted(stop, run, evidence))
    const problems = [...targeted.flatMap((stop) => checkStop(stop, run, evidence)), ...checkRun(run, evidence)]
    return [...new Set(problems)].map((text) => createViolation('G11', run.row.id, text))
  })
}
