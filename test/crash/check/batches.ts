import type { Violation } from '../records/records.ts'
import { violation, type Evidence, type RunEvidence } from './records/evidence.ts'

type Call = { at: number; name: string; step: number; attempt: number }

/** Model calls of the turn itself, in the order in which they were made. */
const listCalls = ({ requests }: RunEvidence): Call[] =>
  requests
    .filter(({ step }) => !Number.isNaN(step))
    .map(({ at, step, attempt, idempotencyKey }) => ({ at, step, attempt, name: `the model call ${idempotencyKey}` }))
    .sort((one, other) => one.at - other.at)

const isBehind = (one: Pick<Call, 'step' | 'attempt'>, other: Call): boolean =>
  one.step < other.step || (one.step === other.step && one.attempt < other.attempt)

const ofRun = (run: RunEvidence, skewMs: number): string[] => {
  const calls = listCalls(run)
  const models = calls.flatMap((call) => {
    const newer = calls.find((other) => other.at + skewMs < call.at && isBehind(call, other))
    return newer === undefined ? [] : [`${call.name} was made after ${newer.name}`]
  })
  // Work that begins after a stop is reported by G11.
  const stoppedAt = run.row.stopRequestedAt ?? Infinity
  const begun = run.toolCalls.filter(({ startedAt }) => startedAt !== null && startedAt <= stoppedAt)
  const tools = begun.flatMap(({ toolCallId, step, startedAt }) => {
    const newer = calls.find((call) => startedAt !== null && call.at + skewMs < startedAt && step < call.step)
    return newer === undefined ? [] : [`the tool call ${toolCallId} was begun after ${newer.name}`]
  })
  return [...models, ...tools]
}

/**
 * G7: of two processes that advance one turn, the one that was replaced calls no model and begins no tool: what is begun
 * is never behind what was begun before it.
 */
export const checkBatches = ({ runs, limits }: Evidence): Violation[] =>
  runs.flatMap((run) => ofRun(run, limits.skewMs).map((text) => violation('G7', run.row.id, text)))
