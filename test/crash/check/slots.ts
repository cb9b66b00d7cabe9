import type { Violation } from '../records/records.ts'
import {
  groupBy,
  isNeverAccepted,
  isStart,
  createViolation,
  wasHeldUp,
  type Evidence,
  type RunEvidence,
} from './records/evidence.ts'

const comparePairs = (evidence: Evidence, runs: RunEvidence[]): Violation[] =>
  runs.slice(1).flatMap((later, index) => {
    const before = runs.slice(0, index + 1)
    const { createdAt } = later.row
    const overlapping = before
      .filter(({ endedAt }) => endedAt > createdAt)
      .map(({ row }) => createViolation('G2', row.chatId, `${row.id} was active when ${later.row.id} began`))
    // G11 covers a run that continues after a stop.
    const lateRequests = before
      .filter(({ row }) => row.stopRequestedAt === null)
      .flatMap(({ row, requests }) =>
        requests
          .filter(({ at }) => at > createdAt + evidence.limits.skewMs && !wasHeldUp(evidence, row.createdAt, at))
          .map(({ idempotencyKey }) =>
            createViolation(
              'G2',
              row.chatId,
              `${idempotencyKey} was requested while ${later.row.id} occupied the chat`,
            ),
          ),
      )
    return overlapping.length > 0 ? overlapping : lateRequests
  })

const sweepMs = 60_000

/** Lists slots that neither the end of their run nor a sweep has released. */
const checkSlotEnds = ({ records, runById, limits }: Evidence): Violation[] =>
  records.store.chats.flatMap(({ id, activeStreamId }) => {
    if (activeStreamId === null) return []
    const run = runById.get(activeStreamId)
    const staleMs = records.endedAt - (run?.endedAt ?? -Infinity)
    return staleMs > sweepMs + limits.skewMs
      ? [createViolation('G2', id, `still has ${activeStreamId} in its slot`)]
      : []
  })

/** G2: a chat has one active run, and a rejected request starts none. */
export const checkSlots = (evidence: Evidence): Violation[] => {
  const { operations } = evidence.records
  const overlaps = [...groupBy(evidence.runs, ({ row }) => row.chatId).values()].flatMap((runs) =>
    comparePairs(evidence, runs),
  )
  const conflicts = operations.filter((operation) => isStart(operation) && operation.status === 409)
  const stored = new Set(evidence.records.store.messages.map(({ id }) => id))
  const storedMessages = conflicts
    .filter(
      (operation) =>
        operation.userMessageId !== undefined &&
        stored.has(operation.userMessageId) &&
        isNeverAccepted(operation, operations),
    )
    .map((operation) => createViolation('G2', operation.id, 'responded 409, but its message is stored'))
  const endedRuns = conflicts.flatMap((operation) => {
    const namedRun = operation.runId === undefined ? undefined : evidence.runById.get(operation.runId)
    if (namedRun === undefined || namedRun.endedAt + evidence.limits.skewMs >= operation.requestedAt) return []
    return [createViolation('G2', operation.id, `responded 409 for ${namedRun.row.id}, which had ended`)]
  })
  return [...overlaps, ...storedMessages, ...endedRuns, ...checkSlotEnds(evidence)]
}
