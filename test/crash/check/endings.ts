import type { Violation } from '../records/records.ts'
import { isAccepted, isTerminal, violation, type Evidence, type RunEvidence } from './records/evidence.ts'

/** The engine never had a run that was stopped in the queue, or that a head start has ended whose API died meanwhile. */
const mayLackWorkflow = ({ row, steps }: RunEvidence): boolean =>
  (row.status === 'cancelled' && row.stopRequestedAt !== null) ||
  steps.some(({ step, attempt }) => step === 0 && attempt === 0)

const ofRun = (run: RunEvidence): Violation[] => {
  const { row, workflow } = run
  const found: string[] = []
  if (!isTerminal(row.status)) found.push(`is still ${row.status}`)
  else if (row.endedAt === null) found.push(`is ${row.status} and has no time of its end`)
  if (workflow === undefined) {
    if (!mayLackWorkflow(run)) found.push('was never known to the engine')
  } else if (workflow.closedAt === null || workflow.status.toUpperCase() === 'RUNNING')
    found.push('still runs in the engine')
  return found.map((text) => violation('G1', row.id, text))
}

/** G1: whatever was accepted reaches its end, in the store and in the engine. */
export const checkEndings = ({ records, runs, runById, deletedChats }: Evidence): Violation[] => {
  const { operations, store } = records
  const lost = operations.filter(isAccepted).flatMap((one) => {
    // A message that waits is reported by G17.
    if (one.queueId !== undefined) return []
    if (one.runId === undefined) return [violation('G1', one.id, 'was accepted without naming a run')]
    return runById.has(one.runId) ? [] : [violation('G1', one.runId, `was accepted as ${one.id} and is not stored`)]
  })
  // An accept without a response is complete or absent: a message without an answer is neither.
  const answered = new Set(
    runs.flatMap(({ userMessage, origins }) => [userMessage?.id, ...origins.map(({ userMessageId }) => userMessageId)]),
  )
  const unanswered = store.messages
    .filter(({ role, id, chatId }) => role === 'user' && !answered.has(id) && !deletedChats.has(chatId))
    .map(({ id }) => violation('G1', id, 'is stored and no run answers it'))
  return [...lost, ...unanswered, ...runs.flatMap(ofRun)]
}
