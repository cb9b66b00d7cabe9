import type { Violation } from '../records/records.ts'
import { isAccepted, isTerminal, violation, type Evidence, type RunEvidence } from './records/evidence.ts'

/** The engine never receives a run that was stopped in the queue, or one that a head start completed before its API died. */
const mayLackWorkflow = ({ row, steps }: RunEvidence): boolean =>
  (row.status === 'cancelled' && row.stopRequestedAt !== null) ||
  steps.some(({ step, attempt }) => step === 0 && attempt === 0)

const checkRun = (run: RunEvidence): Violation[] => {
  const { row, workflow } = run
  const problems: string[] = []
  if (!isTerminal(row.status)) problems.push(`is still ${row.status}`)
  else if (row.endedAt === null) problems.push(`is ${row.status} but has no end time`)
  if (workflow === undefined) {
    if (!mayLackWorkflow(run)) problems.push('was never known to the engine')
  } else if (workflow.closedAt === null || workflow.status.toUpperCase() === 'RUNNING')
    problems.push('still runs in the engine')
  return problems.map((text) => violation('G1', row.id, text))
}

/** G1: every accepted run ends, in the store and in the engine. */
export const checkEndings = ({ records, runs, runById, deletedChats }: Evidence): Violation[] => {
  const { operations, store } = records
  const lost = operations.filter(isAccepted).flatMap((one) => {
    // G17 reports messages that wait.
    if (one.queueId !== undefined) return []
    if (one.runId === undefined) return [violation('G1', one.id, 'was accepted without naming a run')]
    return runById.has(one.runId) ? [] : [violation('G1', one.runId, `was accepted as ${one.id} and is not stored`)]
  })
  // An accept without a response is complete or absent: it never leaves a message without a run.
  const answered = new Set(
    runs.flatMap(({ userMessage, origins }) => [userMessage?.id, ...origins.map(({ userMessageId }) => userMessageId)]),
  )
  const unanswered = store.messages
    .filter(({ role, id, chatId }) => role === 'user' && !answered.has(id) && !deletedChats.has(chatId))
    .map(({ id }) => violation('G1', id, 'is stored and no run answers it'))
  return [...lost, ...unanswered, ...runs.flatMap(checkRun)]
}
