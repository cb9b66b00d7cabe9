import type { Operation, QueueRow, Violation } from '../records/records.ts'
import { groupBy, createViolation, type Evidence, type RunEvidence } from './records/evidence.ts'

type WaitingOperation = Operation & { queueId: string; answeredAt: number }

const listWaiting = (evidence: Evidence): WaitingOperation[] => {
  const waiting = evidence.records.operations.filter(
    (operation): operation is WaitingOperation => operation.queueId !== undefined && operation.answeredAt !== undefined,
  )
  // A repeated request returns the same entry.
  return [...groupBy(waiting, ({ queueId }) => queueId).values()].map((group) => group[0]!)
}

const listSteers = ({ log }: RunEvidence): string[] =>
  log.filter(({ frame }) => frame.type === 'data-steer').map(({ frame }) => String(frame['id']))

/** Compares the row of a queued message with its run, the logs and the stored messages. */
const checkEntry = (entry: QueueRow, { runs, runById, records }: Evidence): string[] => {
  const { id, chatId, messageId, state, runId } = entry
  const run = runId === null ? undefined : runById.get(runId)
  const steers = runs.flatMap((otherRun) => listSteers(otherRun).filter((steer) => steer === id))
  const shown = records.store.messages
    .filter((message) => message.chatId === chatId)
    .flatMap(({ parts }) => parts.filter((part) => part['type'] === 'data-steer' && part['id'] === id))
  const joined = state === 'steered' ? 1 : 0
  const problems: string[] = []
  if (steers.length !== joined || shown.length !== joined)
    problems.push(`is ${state}, but appears ${steers.length} times in logs and ${shown.length} times in messages`)
  if (state === 'steered' && run !== undefined && !listSteers(run).includes(id)) problems.push('joined another run')
  if (state === 'accepted' && run === undefined) problems.push('was accepted but has no run')
  if (state === 'accepted' && run !== undefined && run.userMessage?.id !== messageId)
    problems.push(`was accepted as ${run.row.id}, which answers ${run.userMessage?.id}`)
  const chat = records.store.chats.find((candidate) => candidate.id === chatId)
  if (state === 'waiting' && chat?.activeStreamId === null && !chat.hold) problems.push('waits in an idle chat')
  if (
    state !== 'accepted' &&
    runs.some((otherRun) => otherRun.row.chatId === chatId && otherRun.userMessage?.id === messageId)
  )
    problems.push(`is ${state} but has a run`)
  return problems
}

/** Checks that queued messages of one sender start in the order in which they were sent. */
const checkOrder = (
  queuedOperations: WaitingOperation[],
  entries: Map<string, QueueRow>,
  { runById }: Evidence,
): Violation[] => {
  const plain = queuedOperations.filter(({ onBusy }) => onBusy === 'queue')
  const senders = groupBy(plain, ({ id, chatId }) => `${chatId} ${id.slice(0, id.lastIndexOf(':'))}`)
  return [...senders.values()].flatMap((sent) => {
    const started = sent
      .toSorted((left, right) => left.requestedAt - right.requestedAt)
      .flatMap(({ queueId }) => {
        const runId = entries.get(queueId)?.runId
        const run = runId === null || runId === undefined ? undefined : runById.get(runId)
        return run === undefined ? [] : [{ queueId, at: run.row.createdAt }]
      })
    return started
      .slice(1)
      .filter(({ at }, index) => at < started[index]!.at)
      .map(({ queueId }) =>
        createViolation('G17', queueId, 'was accepted before a message that its sender sent earlier'),
      )
  })
}

/** Checks that messages that were queued before a stop start only after a resume. */
const checkStops = (
  queuedOperations: WaitingOperation[],
  entries: Map<string, QueueRow>,
  { runById, records }: Evidence,
): Violation[] => {
  const stops = records.operations.filter(({ kind, status }) => kind === 'stop' && status === 200)
  const resumes = records.operations.filter(({ kind }) => kind === 'resume')
  return queuedOperations.flatMap((operation) => {
    const entry = entries.get(operation.queueId)
    const run = entry?.state === 'accepted' ? runById.get(entry.runId ?? '') : undefined
    if (run === undefined || entry === undefined) return []
    const startedAt = run.row.createdAt
    const earlierStops = stops.filter(
      (stop) =>
        stop.chatId === operation.chatId &&
        operation.answeredAt < stop.requestedAt &&
        (stop.answeredAt ?? Infinity) < startedAt,
    )
    const isReleased = (stop: Operation): boolean =>
      resumes.some(
        ({ chatId, requestedAt }) =>
          chatId === operation.chatId && requestedAt >= stop.requestedAt && requestedAt <= startedAt,
      )
    return earlierStops.every(isReleased)
      ? []
      : [createViolation('G17', operation.queueId, 'was accepted although a stop held it')]
  })
}

/**
 * G17: a queued message starts one run, joins one turn or is removed. Messages of one sender start in the order in which
 * they were sent. A stop holds the messages that were queued before it.
 */
export const checkQueue = (evidence: Evidence): Violation[] => {
  const { records, deletedChats } = evidence
  const entries = new Map(records.store.queue.map((entry) => [entry.id, entry]))
  const queuedOperations = listWaiting(evidence).filter(({ chatId }) => !deletedChats.has(chatId))
  const lost = queuedOperations
    .filter(({ queueId }) => !entries.has(queueId))
    .map(({ queueId }) => createViolation('G17', queueId, 'was accepted into the queue but is not stored'))
  const entryProblems = records.store.queue.flatMap((entry) =>
    checkEntry(entry, evidence).map((text) => createViolation('G17', entry.id, text)),
  )
  const shared = [
    ...groupBy(
      records.store.queue.filter(({ state }) => state === 'accepted'),
      ({ runId }) => runId ?? '',
    ),
  ]
    .filter(([, group]) => group.length > 1)
    .map(([runId]) => createViolation('G17', runId, 'is the run of more than one message'))
  return [
    ...lost,
    ...entryProblems,
    ...shared,
    ...checkOrder(queuedOperations, entries, evidence),
    ...checkStops(queuedOperations, entries, evidence),
  ]
}
