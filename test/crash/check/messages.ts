import type { Operation, Violation } from '../records/records.ts'
import {
  groupBy,
  isAccepted,
  isTerminal,
  toLog,
  createViolation,
  type Evidence,
  type LogFrame,
  type RunEvidence,
} from './records/evidence.ts'
import {
  foldRun,
  foldRuns,
  foldStored,
  withoutRetracted,
  listRetractions,
  foldTexts,
  getVisibleText,
  type ShownPart,
} from './records/fold.ts'

type Stored = Evidence['records']['store']['messages'][number]

const mainBranchId = 'main'

/** A question changes after its run: the user answers it, or the next message closes it. */
const isQuestion = ({ kind }: ShownPart): boolean => kind === 'tool-ask_user_question'

const haveSameParts = (folded: ShownPart[], stored: ShownPart[]): boolean =>
  folded.length === stored.length &&
  folded.every((part, index) => {
    const other = stored[index]!
    return (
      part.kind === other.kind &&
      part.text === other.text &&
      part.id === other.id &&
      (part.rest === other.rest || isQuestion(part))
    )
  })

/** Checks that the user's message is stored before any response of the API, any frame and any request to the model. */
const checkUserMessage = (run: RunEvidence, { findMessage, limits }: Evidence): string[] => {
  const { row, userMessage, origins } = run
  // The answer to a question is stored in the message that contains the question.
  const answers = origins.some(({ kind }) => kind === 'answer')
  const sent = origins.filter((operation) => isAccepted(operation) && operation.userMessageId !== undefined && !answers)
  const stored = sent
    .map(({ userMessageId }) => findMessage(row.chatId, userMessageId))
    .find((message) => message !== undefined)
  if (sent.length > 0 && stored === undefined) return [`the message ${sent[0]?.userMessageId} is not stored`]
  const message = stored ?? userMessage
  if (message === undefined) return []
  const storedAnswer = findMessage(row.chatId, row.assistantMessageId)
  const first = Math.min(
    // The response to a queued message precedes its storage.
    ...sent.map(({ answeredAt, queueId }) => (queueId === undefined ? (answeredAt ?? Infinity) : Infinity)),
    ...run.readings.flatMap(({ frames }) => frames.slice(0, 1).map(({ at }) => at)),
    ...run.requests.map(({ at }) => at),
  )
  const problems: string[] = []
  if (message.createdAt > first + limits.skewMs)
    problems.push(`the message ${message.id} was stored after its answer began`)
  if (storedAnswer !== undefined && storedAnswer.position <= message.position)
    problems.push('the answer precedes its question')
  return problems
}

/** Returns all frames of the run that clients received on any connection. */
const listReceived = ({ readings }: RunEvidence): LogFrame[] => {
  const frames = new Map<number, { index: number; body: string }>()
  for (const reading of readings) for (const { index, body } of reading.frames) frames.set(index, { index, body })
  return toLog([...frames.values()].sort((left, right) => left.index - right.index))
}

/**
 * Compares the text that readers received, with retractions applied, with the stored message. A complete part must be
 * stored unchanged, and the text of an open part must be the beginning of a stored part.
 */
const checkReaders = (run: RunEvidence, texts: readonly ShownPart[]): string[] => {
  const received = listReceived(run)
  return foldTexts(withoutRetracted(received, [...listRetractions(received), ...listRetractions(run.log)]))
    .filter(({ kind, text, whole, begun }) => {
      const candidates = texts.filter((part) => part.kind === kind).map((part) => part.text ?? '')
      if (whole && begun) return !candidates.includes(text)
      return !candidates.some((candidate) => (begun ? candidate.startsWith(text) : candidate.includes(text)))
    })
    .map(({ id, text }) => `a reader saw ${id} as ${JSON.stringify(text.slice(0, 40))}, but the stored text differs`)
}

const findExpectation = ({ origins }: RunEvidence): string | undefined =>
  origins.find(({ expectedText }) => expectedText !== undefined)?.expectedText

/** Quotes both texts from shortly before the position where they differ. */
const describeDifference = (text: string, expected: string): string => {
  let position = 0
  while (position < text.length && text[position] === expected[position]) position++
  const from = Math.max(0, position - 20)
  const [quoted, quotedExpected] = [text, expected].map((all) => JSON.stringify(all.slice(from, from + 60)))
  return `${quoted} instead of ${quotedExpected}`
}

const checkExpectedText = (run: RunEvidence): string[] => {
  const expected = findExpectation(run)
  if (expected === undefined) return []
  const text = getVisibleText(foldRun(run.log))
  if (run.row.status === 'completed')
    return text === expected ? [] : [`the answer is not the text of the model: ${describeDifference(text, expected)}`]
  return expected.startsWith(text) ? [] : ["the answer is not the beginning of the model's text"]
}

/** Checks a message against its run, or against several runs if an answer or an approval continued it. */
const checkMessage = (message: Stored | undefined, runs: RunEvidence[]): string[] => {
  const last = runs.at(-1)!.row
  if (message === undefined) return ['the answer is not stored']
  const stored = message.parts.map(foldStored)
  // G3 covers a log with gaps.
  const isComplete = runs.every(({ log }) => log.every(({ index }, position) => index === position))
  const problems = isComplete ? runs.flatMap((run) => [...checkReaders(run, stored), ...checkExpectedText(run)]) : []
  const folded = foldRuns(runs.map(({ log }) => log))
  if (isComplete && !haveSameParts(folded, stored)) problems.push('the stored message differs from its folded frames')
  if (message.metadata?.['runId'] !== last.id || message.metadata['endReason'] !== last.endReason)
    problems.push(
      `the stored message names ${String(message.metadata?.['runId'])} (${String(message.metadata?.['endReason'])})`,
    )
  return problems
}

/** Maximum time after its end in which a run is committed. The commit precedes the `finish` that a reader receives. */
const maxCommitMs = 10_000

const findSettledTime = (run: RunEvidence): number =>
  Math.min(
    run.endedAt + maxCommitMs,
    ...run.readings.flatMap(({ frames }) =>
      frames.filter(({ body }) => body.startsWith('{"type":"finish"')).map(({ at }) => at),
    ),
  )

/** Whether a reload shows the branch of the message. A reload shows only one branch of a chat. */
const isOnShownBranch = (loaded: Operation['loaded'], message: Stored | undefined): boolean =>
  (loaded?.branch ?? mainBranchId) === (message?.branchId ?? mainBranchId)

/** Checks that a reload after the end of a run shows the stored message. */
const checkLoads = (run: RunEvidence, message: Stored | undefined, loads: readonly Operation[]): string[] =>
  loads
    .filter(({ requestedAt }) => requestedAt > findSettledTime(run))
    .flatMap(({ id, loaded }) => {
      const shown = loaded?.messages.find(({ id: shownId }) => shownId === message?.id)
      if (shown === undefined) return isOnShownBranch(loaded, message) ? [`the reload ${id} lacks the answer`] : []
      return haveSameParts(shown.parts.map(foldStored), (message?.parts ?? []).map(foldStored))
        ? []
        : [`the reload ${id} shows another answer`]
    })

const countUnansweredQuestions = (message: Stored | undefined): number =>
  (message?.parts ?? []).filter(
    (part) => part['type'] === 'tool-ask_user_question' && part['state'] === 'input-available',
  ).length

/** G6: the stored messages equal the messages that clients sent and received. */
export const checkMessages = (evidence: Evidence): Violation[] => {
  const { records, deletedChats, findMessage } = evidence
  const runs = evidence.runs.filter(({ row }) => !deletedChats.has(row.chatId))
  const userViolations = runs.flatMap((run) =>
    checkUserMessage(run, evidence).map((text) => createViolation('G6', run.row.id, text)),
  )
  const loads = groupBy(
    records.operations.filter(
      (operation) => operation.kind === 'load' && operation.status === 200 && operation.loaded !== undefined,
    ),
    (operation) => operation.chatId,
  )
  const answers = [...groupBy(runs, ({ row }) => `${row.chatId} ${row.assistantMessageId}`).values()].flatMap(
    (group) => {
      const { chatId, assistantMessageId } = group[0]!.row
      // A run that has not ended has no final message. G1 covers it.
      if (!group.every(({ row }) => isTerminal(row.status))) return []
      const message = findMessage(chatId, assistantMessageId)
      const last = group.at(-1)!
      const problems = [...checkMessage(message, group), ...checkLoads(last, message, loads.get(chatId) ?? [])]
      const answered = group.slice(1).some(({ row }) => row.endReason !== 'awaiting_user')
      if (answered && countUnansweredQuestions(message) > 0 && last.row.endReason !== 'awaiting_user')
        problems.push('an answered question is stored as open')
      return problems.map((text) => createViolation('G6', last.row.id, text))
    },
  )
  const lost = records.store.chats.length === 0 ? [] : listLostChats(evidence)
  return [...userViolations, ...answers, ...lost]
}

const listLostChats = ({ records, runs, deletedChats }: Evidence): Violation[] => {
  const chatIds = new Set(records.store.chats.map(({ id }) => id))
  return [...new Set(runs.map(({ row }) => row.chatId))]
    .filter((chatId) => !chatIds.has(chatId) && !deletedChats.has(chatId))
    .map((chatId) => createViolation('G6', chatId, 'the chat is not stored'))
}
