import type { Records, Violation } from '../records/records.ts'
import {
  parseRequester,
  groupBy,
  isAccepted,
  isTerminal,
  violation,
  wasHeldUp,
  type Evidence,
  type RunEvidence,
} from './records/evidence.ts'
import { foldCalls, withoutRetracted, retractions } from './records/fold.ts'

const repeated = <T>(items: readonly T[], keyOf: (item: T) => string): string[] =>
  [...groupBy(items, keyOf)].filter(([, group]) => group.length > 1).map(([key]) => key)

const hasSucceeded = (output: unknown): boolean =>
  typeof output === 'object' && output !== null && 'success' in output && output.success === true

/** Returns the results of the calls of a message, including approved calls that its next run made. */
const callsOfMessage = ({ row }: RunEvidence, { runs }: Evidence): ReturnType<typeof foldCalls> =>
  foldCalls(
    runs
      .filter((run) => run.row.chatId === row.chatId && run.row.assistantMessageId === row.assistantMessageId)
      .flatMap(({ log }) => withoutRetracted(log, retractions(log))),
  )

const checkEffects = (run: RunEvidence, evidence: Evidence): string[] => {
  const { records, deletedChats } = evidence
  const tokens = new Set(run.origins.flatMap(({ effectTokens }) => effectTokens ?? []))
  if (tokens.size === 0) return []
  const calls = callsOfMessage(run, evidence)
  return [...tokens].flatMap((token) => {
    const count = records.effects
      .filter((effect) => effect.token === token)
      .reduce((sum, effect) => sum + effect.count, 0)
    const asking = calls.filter(({ input }) => JSON.stringify(input ?? null).includes(token))
    const done = asking.some(({ output }) => hasSucceeded(output))
    if (count > 1) return [`the effect ${token} happened ${count} times`]
    // The sandbox of a deleted session is gone with its content.
    if (count === 0 && done && !deletedChats.has(run.row.chatId))
      return [`the effect ${token} is reported but did not happen`]
    if (count === 1 && asking.length === 0) return [`the effect ${token} happened without a request`]
    if (run.row.status === 'completed' && run.row.endReason === 'natural' && asking.length === 0)
      return [`the effect ${token} was never requested`]
    return []
  })
}

/** Calls of a retracted attempt must not run. */
const checkRetracted = ({ log, toolCalls }: RunEvidence): string[] => {
  const kept = new Set(foldCalls(withoutRetracted(log, retractions(log))).map(({ id }) => id))
  return toolCalls
    .filter(({ toolCallId, startedAt }) => startedAt !== null && log.length > 0 && !kept.has(toolCallId))
    .map(({ toolCallId }) => `${toolCallId} ran but is not in the log`)
}

/** Only calls that started may have an unknown outcome. */
const checkUnstarted = ({ log, toolCalls }: RunEvidence): string[] => {
  const unbegun = new Set(toolCalls.filter(({ startedAt }) => startedAt === null).map(({ toolCallId }) => toolCallId))
  return foldCalls(withoutRetracted(log, retractions(log)))
    .filter(({ id, output }) => unbegun.has(id) && JSON.stringify(output ?? null).includes('outcome unknown'))
    .map(({ id }) => `${id} never started, but its outcome is recorded as unknown`)
}

const checkSteps = (run: RunEvidence, evidence: Evidence): string[] => {
  const { requests, steps, row } = run
  const { skewMs } = evidence.limits
  const doubled = repeated(steps, ({ step }) => String(step)).map((step) => `step ${step} ended twice`)
  const again = requests.flatMap(({ idempotencyKey, step, attempt, at }) => {
    const ended = steps.find((one) => one.step === step)
    if (
      ended !== undefined &&
      attempt !== ended.attempt &&
      at > ended.createdAt + skewMs &&
      !wasHeldUp(evidence, row.createdAt, at)
    )
      return [`the model was called again (${idempotencyKey}) for a step that had ended`]
    const before = steps.find((one) => one.step === step - 1)
    if (step > 0 && (before === undefined || before.createdAt > at + skewMs))
      return [`the model was called (${idempotencyKey}) before the previous step had ended`]
    return []
  })
  return [...doubled, ...again, ...checkAttempts(run), ...checkReasons(run, skewMs)]
}

const maxFailures = 3
/** Directives that make the model fail, as opposed to a worker that was lost during its call. */
const failures = /^(?:\d+|cut|garbage|error|silence|unfinished)$/

/** The shortest pause between a failure and the next attempt. */
const pauseMs = 1000

/** Each request is the first of its step, or follows one that the log records as failed or lost with its worker. */
const checkReasons = ({ requests, attempts }: RunEvidence, skewMs: number): string[] => {
  const ofMain = requests.filter(({ step }) => !Number.isNaN(step)).sort((one, other) => one.attempt - other.attempt)
  return [...groupBy(ofMain, ({ call }) => call).values()].flatMap((tries) =>
    tries.slice(1).flatMap(({ idempotencyKey, at }, index) => {
      const { step, attempt, outcome, closedAt } = tries[index]!
      const reason = attempts.find((one) => one.step === step && one.attempt === attempt)?.reason
      if (reason === undefined) return [`the model was called again (${idempotencyKey}) without a reason in the log`]
      const hasFailed = reason !== 'worker_lost' && failures.test(outcome)
      return hasFailed && at < (closedAt ?? 0) + pauseMs - skewMs
        ? [`the model was called again (${idempotencyKey}) without a pause after a failure`]
        : []
    }),
  )
}

/** The first step of a run that continues with approved calls belongs to these: the previous run called the model. */
const isOfModel = ({ attempt }: RunEvidence['steps'][number]): boolean => attempt > 0

/** A step ends with a response, and a model that fails repeatedly is not called any more. */
const checkAttempts = ({ requests, steps }: RunEvidence): string[] => {
  if (requests.length === 0) return []
  const unheard = steps
    .filter(isOfModel)
    .filter(({ step, attempt }) => !requests.some((one) => one.step === step && one.attempt === attempt))
    .map(({ step }) => `step ${step} ended, but the model was never called`)
  const stubborn = [...groupBy(requests, ({ call }) => call)]
    .filter(([, tries]) => tries.filter(({ outcome }) => failures.test(outcome)).length > maxFailures)
    .map(([call]) => `the model failed in ${call} and was called again and again`)
  return [...unheard, ...stubborn]
}

/** G1 reports an accepted run that is gone. */
const isNamed = (runId: string, { operations }: Records): boolean => operations.some((one) => one.runId === runId)

const chargePattern = /^chat:(?<runId>[^:]+):/

const checkCharges = ({ records, runs, runById, limits }: Evidence): Violation[] => {
  const charges = records.store.ledger.flatMap((entry) => {
    const runId = chargePattern.exec(entry.reference)?.groups?.['runId']
    return runId === undefined ? [] : [{ ...entry, runId }]
  })
  const byRun = groupBy(charges, ({ runId }) => runId)
  const strange = charges
    .filter(({ runId }) => !runById.has(runId) && !isNamed(runId, records))
    .map(({ reference }) => violation('G7', reference, 'charges a run that is not stored'))
  const ofRuns = runs.flatMap(({ row, steps }) => {
    const ownCharges = byRun.get(row.id) ?? []
    const problems: string[] = []
    const main = ownCharges.filter(({ reference }) => !reference.includes(':subagent:'))
    if (main.length > 1) problems.push(`was charged ${main.length} times`)
    if (ownCharges.length === 0 && steps.some(isOfModel) && isTerminal(row.status)) problems.push('was not charged')
    if (ownCharges.length > 0 && row.status === 'failed' && steps.length === 0) problems.push('was charged for nothing')
    for (const { amount, createdAt, reference } of ownCharges) {
      if (amount >= 0) problems.push(`has the charge ${reference} of ${amount}`)
      if (row.endedAt !== null && Math.abs(createdAt - row.endedAt) > limits.skewMs)
        problems.push('was charged apart from its end')
    }
    return problems.map((text) => violation('G7', row.id, text))
  })
  return [...strange, ...ofRuns]
}

const checkLedger = ({ records }: Evidence): Violation[] => {
  const { ledger, balances } = records.store
  const doubled = repeated(ledger, ({ reference }) => reference).map((reference) =>
    violation('G7', reference, 'is in the ledger twice'),
  )
  const off = balances.flatMap(({ accountId, balance }) => {
    const sum = ledger.filter((entry) => entry.accountId === accountId).reduce((total, { amount }) => total + amount, 0)
    return sum === balance ? [] : [violation('G7', accountId, `has ${balance} but its ledger adds up to ${sum}`)]
  })
  return [...doubled, ...off]
}

/** G7: one run per request, one effect per call, one charge per run, one name per outside request. */
export const checkOnce = (evidence: Evidence): Violation[] => {
  const { records, runs, runById, deletedChats } = evidence
  const keys = repeated(records.outside, ({ idempotencyKey }) => idempotencyKey).map((key) =>
    violation('G7', key, 'was sent out more than once'),
  )
  const chats = new Set(records.store.runs.map(({ chatId }) => chatId))
  const unknown = records.outside
    .filter((request) => !runById.has(parseRequester(request)) && !chats.has(parseRequester(request)))
    .filter((request) => !isNamed(parseRequester(request), records))
    .map(({ idempotencyKey }) => violation('G7', idempotencyKey, 'was sent out for no run'))
  const keyed = records.operations.filter(
    (one) => isAccepted(one) && one.idempotencyKey !== undefined && one.queueId === undefined,
  )
  const several = [...groupBy(keyed, ({ idempotencyKey }) => idempotencyKey ?? '')]
    .filter(([, group]) => new Set(group.map(({ runId }) => runId)).size > 1)
    .map(([key]) => violation('G7', key, 'started more than one run'))
  // In a deleted chat, the run of a waiting message can no longer be determined.
  const waitedIn = new Set(
    records.operations
      .filter(({ queueId, chatId }) => queueId !== undefined && deletedChats.has(chatId))
      .map(({ chatId }) => chatId),
  )
  const uncalled = runs
    .filter(({ origins, row }) => origins.length === 0 && !waitedIn.has(row.chatId))
    .map(({ row }) => violation('G7', row.id, 'started without a request'))
  const ofRuns = runs.flatMap((run) =>
    [...checkEffects(run, evidence), ...checkRetracted(run), ...checkUnstarted(run), ...checkSteps(run, evidence)].map(
      (text) => violation('G7', run.row.id, text),
    ),
  )
  return [...keys, ...unknown, ...several, ...uncalled, ...ofRuns, ...checkCharges(evidence), ...checkLedger(evidence)]
}
