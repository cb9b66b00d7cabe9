import type { Violation } from '../records/records.ts'
import { createViolation, type Evidence, type RunEvidence } from './records/evidence.ts'

type Call = { at: number; name: string; step: number; attempt: number }

/** Lists the model calls of the turn, without those of sub-agents, in chronological order. */
const listCalls = ({ requests }: RunEvidence): Call[] =>
  requests
    .filter(({ step }) => !Number.isNaN(step))
    .map(({ at, step, attempt, idempotencyKey }) => ({ at, step, attempt, name: `the model call ${idempotencyKey}` }))
    .sort((left, right) => left.at - right.at)

const precedes = (call: Pick<Call, 'step' | 'attempt'>, other: Call): boolean =>
  call.step < other.step || (call.step === other.step && call.attempt < other.attempt)

const checkRun = (run: RunEvidence, skewMs: number): string[] => {
  const calls = listCalls(run)
  const models = calls.flatMap((call) => {
    const newer = calls.find((other) => other.at + skewMs < call.at && precedes(call, other))
    return newer === undefined ? [] : [`${call.name} was made after ${newer.name}`]
  })
  // G11 covers work that begins after a stop.
  const stoppedAt = run.row.stopRequestedAt ?? Infinity
  const startedCalls = run.toolCalls.filter(({ startedAt }) => startedAt !== null && startedAt <= stoppedAt)
  const tools = startedCalls.flatMap(({ toolCallId, step, startedAt }) => {
    const newer = calls.find((call) => startedAt !== null && call.at + skewMs < startedAt && step < call.step)
    return newer === undefined ? [] : [`the tool call ${toolCallId} started after ${newer.name}`]
  })
  return [...models, ...tools]
}

/**
 * G7: a process that was replaced in a turn calls no model and starts no tool. No model call and no tool of a step starts
 * after a call of a later step or attempt.
 */
export const checkBatches = ({ runs, limits }: Evidence): Violation[] =>
  runs.flatMap((run) => checkRun(run, limits.skewMs).map((text) => createViolation('G7', run.row.id, text)))
