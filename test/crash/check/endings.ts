import type { Violation } from '../records/records.ts'
import { isAccepted, isTerminal, createViolation, type Evidence, type RunEvidence } from './records/evidence.ts'

/**
 * Whether the run was stopped before its workflow started, or may have been ended by a head start whose API died. A head
 * start takes only turns that no batch has taken, so a later batch belongs to an activity of the workflow.
 */
const mayLackWorkflow = ({ row }: RunEvidence): boolean =>
  (row.status === 'cancelled' && row.stopRequestedAt !== null) || row.batches === 1

const checkRun = (run: RunEvidence): Violation[] => {
  const { row, workflow } = run
  const problems: string[] = []
  if (!isTerminal(row.status)) problems.push(`is still ${row.status}`)
  else if (row.endedAt === null) problems.push(`is ${row.status} but has no end time`)
  if (workflow === undefined) {
    if (!mayLackWorkflow(run)) problems.push('has no workflow')
  } else if (workflow.closedAt === null || workflow.status.toUpperCase() === 'RUNNING')
    problems.push('has a workflow that still runs')
  return problems.map((text) => createViolation('G1', row.id, text))
}

/** G1: every accepted run ends, in the store and in the engine. */
export const checkEndings = ({ records, runs, runById, deletedChats }: Evidence): Violation[] => {
  const { operations, store } = records
  const lost = operations.filter(isAccepted).flatMap(({ id, queueId, runId }) => {
    // G17 covers queued messages.
    if (queueId !== undefined) return []
    if (runId === undefined) return [createViolation('G1', id, 'was accepted without a run id')]
    return runById.has(runId) ? [] : [createViolation('G1', runId, `was accepted as ${id} but is not stored`)]
  })
  // A request stores its message and its run in one transaction, even if the client receives no response.
  const answered = new Set(
    runs.flatMap(({ userMessage, origins }) => [userMessage?.id, ...origins.map(({ userMessageId }) => userMessageId)]),
  )
  const unanswered = store.messages
    .filter(({ role, id, chatId }) => role === 'user' && !answered.has(id) && !deletedChats.has(chatId))
    .map(({ id }) => createViolation('G1', id, 'is stored without a run'))
  return [...lost, ...unanswered, ...runs.flatMap(checkRun)]
}
