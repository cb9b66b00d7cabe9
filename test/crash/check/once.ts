import type { Records, Violation } from '../records/records.ts'
import {
  parseRequester,
  groupBy,
  isAccepted,
  isMachineFault,
  isTerminal,
  createViolation,
  wasHeldUp,
  type Evidence,
  type RunEvidence,
} from './records/evidence.ts'
import { foldCalls, withoutRetracted, listRetractions } from './records/fold.ts'

const findRepeated = <T>(items: readonly T[], keyOf: (item: T) => string): string[] =>
  [...groupBy(items, keyOf)].filter(([, group]) => group.length > 1).map(([key]) => key)

const hasSucceeded = (output: unknown): boolean =>
  typeof output === 'object' && output !== null && 'success' in output && output.success === true

/** Returns the calls of a message with their results, including approved calls that its next run executed. */
const foldMessageCalls = ({ row }: RunEvidence, { runs }: Evidence): ReturnType<typeof foldCalls> =>
  foldCalls(
    runs
      .filter((run) => run.row.chatId === row.chatId && run.row.assistantMessageId === row.assistantMessageId)
      .flatMap(({ log }) => withoutRetracted(log, listRetractions(log))),
  )

/** Whether the files of the run's sandbox may have been lost with their machine. */
const hasLostFiles = ({ row }: RunEvidence, { records, faultDuring }: Evidence): boolean => {
  if (faultDuring(row.createdAt, Infinity, isMachineFault) === undefined) return false
  const sandbox = records.sandboxes.find(({ sessionId }) => sessionId === row.sessionId)
  return sandbox !== undefined && (sandbox.epoch > 1 || !sandbox.hasFiles)
}

const checkEffects = (run: RunEvidence, evidence: Evidence): string[] => {
  const { records, deletedChats } = evidence
  const tokens = new Set(run.origins.flatMap(({ effectTokens }) => effectTokens ?? []))
  if (tokens.size === 0) return []
  const calls = foldMessageCalls(run, evidence)
  return [...tokens].flatMap((token) => {
    const count = records.effects
      .filter((effect) => effect.token === token)
      .reduce((sum, effect) => sum + effect.count, 0)
    const requestingCalls = calls.filter(({ input }) => JSON.stringify(input ?? null).includes(token))
    const isReported = requestingCalls.some(({ output }) => hasSucceeded(output))
    if (count > 1) return [`the effect ${token} happened ${count} times`]
    // Deleting a session deletes the effects in its sandbox. G19 covers the files of a lost machine.
    if (count === 0 && isReported && !deletedChats.has(run.row.chatId) && !hasLostFiles(run, evidence))
      return [`the effect ${token} is reported but did not happen`]
    if (count === 1 && requestingCalls.length === 0) return [`the effect ${token} happened without a request`]
    if (run.row.status === 'completed' && run.row.endReason === 'natural' && requestingCalls.length === 0)
      return [`the effect ${token} was never requested`]
    return []
  })
}

/** Lists calls of retracted attempts that ran. */
const checkRetracted = ({ log, toolCalls }: RunEvidence): string[] => {
  const kept = new Set(foldCalls(withoutRetracted(log, listRetractions(log))).map(({ id }) => id))
  return toolCalls
    .filter(({ toolCallId, startedAt }) => startedAt !== null && log.length > 0 && !kept.has(toolCallId))
    .map(({ toolCallId }) => `${toolCallId} ran but is not in the log`)
}

/** Lists calls with an unknown outcome that never started. */
const checkUnstarted = ({ log, toolCalls }: RunEvidence): string[] => {
  const unstarted = new Set(toolCalls.filter(({ startedAt }) => startedAt === null).map(({ toolCallId }) => toolCallId))
  return foldCalls(withoutRetracted(log, listRetractions(log)))
    .filter(({ id, output }) => unstarted.has(id) && JSON.stringify(output ?? null).includes('outcome unknown'))
    .map(({ id }) => `${id} never started, but its outcome is recorded as unknown`)
}

const checkSteps = (run: RunEvidence, evidence: Evidence): string[] => {
  const { requests, steps, row } = run
  const { skewMs } = evidence.limits
  const repeatedEnds = findRepeated(steps, ({ step }) => String(step)).map((step) => `step ${step} ended twice`)
  const invalidCalls = requests.flatMap(({ idempotencyKey, step, attempt, at }) => {
    const ended = steps.find((candidate) => candidate.step === step)
    if (
      ended !== undefined &&
      attempt !== ended.attempt &&
      at > ended.createdAt + skewMs &&
      !wasHeldUp(evidence, row.createdAt, at)
    )
      return [`the model was called again (${idempotencyKey}) for a step that had ended`]
    const before = steps.find((candidate) => candidate.step === step - 1)
    if (step > 0 && (before === undefined || before.createdAt > at + skewMs))
      return [`the model was called (${idempotencyKey}) before the previous step had ended`]
    return []
  })
  return [...repeatedEnds, ...invalidCalls, ...checkAttempts(run), ...checkReasons(run, skewMs)]
}

const maxFailures = 3
/** Outcomes of a failed model, as opposed to those of a lost worker. */
const failedOutcomes = /^(?:\d+|cut|garbage|error|silence|unfinished)$/

/** Minimum pause between a failed model call and the next attempt. */
const minRetryPauseMs = 1000

/** Checks that each repeated model call has a recorded reason, and that a failed call is repeated only after a pause. */
const checkReasons = ({ requests, attempts }: RunEvidence, skewMs: number): string[] => {
  const mainRequests = requests
    .filter(({ step }) => !Number.isNaN(step))
    .sort((left, right) => left.attempt - right.attempt)
  return [...groupBy(mainRequests, ({ call }) => call).values()].flatMap((tries) =>
    tries.slice(1).flatMap(({ idempotencyKey, at }, index) => {
      const { step, attempt, outcome, closedAt } = tries[index]!
      const reason = attempts.find((record) => record.step === step && record.attempt === attempt)?.reason
      if (reason === undefined) return [`the model was called again (${idempotencyKey}) without a reason in the log`]
      const hasFailed = reason !== 'worker_lost' && failedOutcomes.test(outcome)
      return hasFailed && at < (closedAt ?? 0) + minRetryPauseMs - skewMs
        ? [`the model was called again (${idempotencyKey}) without a pause after a failure`]
        : []
    }),
  )
}

/** Whether the step called the model. The first step of a run that continues with approved calls did not. */
const hasModelCall = ({ attempt }: RunEvidence['steps'][number]): boolean => attempt > 0

/** Checks that each step called the model, and that a model that fails repeatedly is not called again. */
const checkAttempts = ({ requests, steps }: RunEvidence): string[] => {
  if (requests.length === 0) return []
  const withoutCall = steps
    .filter(hasModelCall)
    .filter(({ step, attempt }) => !requests.some((request) => request.step === step && request.attempt === attempt))
    .map(({ step }) => `step ${step} ended, but the model was never called`)
  const repeatedFailures = [...groupBy(requests, ({ call }) => call)]
    .filter(([, tries]) => tries.filter(({ outcome }) => failedOutcomes.test(outcome)).length > maxFailures)
    .map(([call]) => `the model failed in ${call} and was called more than ${maxFailures} times`)
  return [...withoutCall, ...repeatedFailures]
}

/** Whether a response names the run. G1 covers an accepted run that is not stored. */
const isNamed = (runId: string, { operations }: Records): boolean =>
  operations.some((operation) => operation.runId === runId)

const chargePattern = /^chat:(?<runId>[^:]+):/

const checkCharges = ({ records, runs, runById, limits }: Evidence): Violation[] => {
  const charges = records.store.ledger.flatMap((entry) => {
    const runId = chargePattern.exec(entry.reference)?.groups?.['runId']
    return runId === undefined ? [] : [{ ...entry, runId }]
  })
  const byRun = groupBy(charges, ({ runId }) => runId)
  const unknownRuns = charges
    .filter(({ runId }) => !runById.has(runId) && !isNamed(runId, records))
    .map(({ reference }) => createViolation('G7', reference, 'charges a run that is not stored'))
  const chargeViolations = runs.flatMap(({ row, steps }) => {
    const ownCharges = byRun.get(row.id) ?? []
    const problems: string[] = []
    const main = ownCharges.filter(({ reference }) => !reference.includes(':subagent:'))
    if (main.length > 1) problems.push(`was charged ${main.length} times`)
    if (ownCharges.length === 0 && steps.some(hasModelCall) && isTerminal(row.status)) problems.push('was not charged')
    if (ownCharges.length > 0 && row.status === 'failed' && steps.length === 0)
      problems.push('was charged without a step')
    for (const { amount, createdAt, reference } of ownCharges) {
      if (amount >= 0) problems.push(`has the charge ${reference} of ${amount}`)
      if (row.endedAt !== null && Math.abs(createdAt - row.endedAt) > limits.skewMs)
        problems.push('was not charged at its end')
    }
    return problems.map((text) => createViolation('G7', row.id, text))
  })
  return [...unknownRuns, ...chargeViolations]
}

const checkLedger = ({ records }: Evidence): Violation[] => {
  const { ledger, balances } = records.store
  const doubled = findRepeated(ledger, ({ reference }) => reference).map((reference) =>
    createViolation('G7', reference, 'is in the ledger twice'),
  )
  const wrongBalances = balances.flatMap(({ accountId, balance }) => {
    const sum = ledger.filter((entry) => entry.accountId === accountId).reduce((total, { amount }) => total + amount, 0)
    return sum === balance ? [] : [createViolation('G7', accountId, `has ${balance} but its ledger adds up to ${sum}`)]
  })
  return [...doubled, ...wrongBalances]
}

/** G7: one run per request, one effect per call, one charge per run, one idempotency key per external request. */
export const checkDuplicates = (evidence: Evidence): Violation[] => {
  const { records, runs, runById, deletedChats } = evidence
  const keys = findRepeated(records.externalRequests, ({ idempotencyKey }) => idempotencyKey).map((key) =>
    createViolation('G7', key, 'was sent more than once'),
  )
  const chats = new Set(records.store.runs.map(({ chatId }) => chatId))
  const unknown = records.externalRequests
    .filter((request) => !runById.has(parseRequester(request)) && !chats.has(parseRequester(request)))
    .filter((request) => !isNamed(parseRequester(request), records))
    .map(({ idempotencyKey }) => createViolation('G7', idempotencyKey, 'was sent without a run'))
  const keyed = records.operations.filter(
    (operation) => isAccepted(operation) && operation.idempotencyKey !== undefined && operation.queueId === undefined,
  )
  const repeatedStarts = [...groupBy(keyed, ({ idempotencyKey }) => idempotencyKey ?? '')]
    .filter(([, group]) => new Set(group.map(({ runId }) => runId)).size > 1)
    .map(([key]) => createViolation('G7', key, 'started more than one run'))
  // In a deleted chat, the run of a queued message can no longer be determined.
  const deletedQueues = new Set(
    records.operations
      .filter(({ queueId, chatId }) => queueId !== undefined && deletedChats.has(chatId))
      .map(({ chatId }) => chatId),
  )
  const unrequested = runs
    .filter(({ origins, row }) => origins.length === 0 && !deletedQueues.has(row.chatId))
    .map(({ row }) => createViolation('G7', row.id, 'started without a request'))
  const runViolations = runs.flatMap((run) =>
    [...checkEffects(run, evidence), ...checkRetracted(run), ...checkUnstarted(run), ...checkSteps(run, evidence)].map(
      (text) => createViolation('G7', run.row.id, text),
    ),
  )
  const requestViolations = [...keys, ...unknown, ...repeatedStarts, ...unrequested]
  return [...requestViolations, ...runViolations, ...checkCharges(evidence), ...checkLedger(evidence)]
}
